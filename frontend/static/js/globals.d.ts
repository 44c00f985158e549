/** Put on the page by Django's JavaScriptCatalog before any module runs. */
declare function gettext(text: string): string;
declare function ngettext(one: string, many: string, count: number): string;
declare function pgettext(context: string, text: string): string;
declare function interpolate(pattern: string, values: Record<string, string | number>, named: true): string;

/** Moves an element and keeps its focus; newer engines only. */
interface Element {
  moveBefore?: (node: Node, before: Node | null) => void;
}
