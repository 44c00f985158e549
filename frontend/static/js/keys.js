/**
 * The keyboard. Keys are where they lie (`event.code`), whatever letters are printed on them, and
 * count only with the focus on the table.
 *
 * @typedef {import("./cursor.js").Arrow} Arrow
 *
 * @typedef {object} Acts
 * @property {() => boolean} playing whether keys play; else they look back
 * @property {() => boolean} letters whether single letters are on
 * @property {(key: Arrow) => void} go
 * @property {() => void} enter
 * @property {() => boolean} escape whether there was anything to let go
 * @property {(column: string) => void} digit
 * @property {() => void} undo @property {() => void} draw @property {() => void} collect
 * @property {() => void} newGame @property {() => void} fullScreen @property {() => void} help
 * @property {() => boolean} draws whether the game has something to draw
 * @property {(by: number) => void} step @property {(end: "first" | "last") => void} jump
 * @property {() => void} toggle
 * @property {(what: "pile" | "table" | "places") => void} read
 * @property {() => void} type
 * @property {() => void} verdict
 */

const ARROWS = new Set(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]);

/** @param {HTMLElement} table @param {Acts} acts */
export function listenToKeys(table, acts) {
  table.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing || isForeign(event)) return;
    const handled = acts.playing() ? played(event) : looked(event, true);
    if (handled || common(event)) event.preventDefault();
  });

  // While looking back arrows step from anywhere on the page but where they mean something else.
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || acts.playing() || isForeign(event) || isBusy(event.target)) return;
    const free = event.target === document.body;
    if (looked(event, free)) event.preventDefault();
  });

  /** @param {KeyboardEvent} event */
  function played(event) {
    const { code } = event;
    if (event.ctrlKey || event.metaKey) {
      if (code !== "KeyZ" || event.shiftKey) return false;
      acts.undo();
      return true;
    }
    if (ARROWS.has(code)) acts.go(/** @type {Arrow} */ (code));
    else if (code === "Enter" || code === "NumpadEnter" || (code === "Space" && !acts.draws())) {
      if (!event.repeat) acts.enter();
    } else if (code === "Space") acts.draw();
    else if (code === "Escape") return acts.escape();
    else if (!acts.letters()) return false;
    else if (/^(Digit|Numpad)\d$/.test(code) && !event.shiftKey) acts.digit(code.slice(-1));
    else if (code === "KeyZ") acts.undo();
    else if (code === "KeyD") acts.draw();
    else if (code === "KeyA") acts.collect();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  function common(event) {
    if (!acts.letters() || event.ctrlKey || event.metaKey || event.repeat) return false;
    if (event.key === "?" || event.code === "KeyH") acts.help();
    else if (event.code === "KeyR") acts.read("pile");
    else if (event.code === "KeyT") acts.read("table");
    else if (event.code === "KeyL") acts.read("places");
    else if (event.code === "KeyM") acts.type();
    else if (event.code === "KeyV") acts.verdict();
    else if (event.code === "KeyN") acts.newGame();
    else if (event.code === "KeyF") acts.fullScreen();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event @param {boolean} free whether the space bar means nothing else here */
  function looked(event, free) {
    const { code } = event;
    if (event.ctrlKey || event.metaKey || event.shiftKey) return false;
    if (code === "ArrowLeft") acts.step(-1);
    else if (code === "ArrowRight") acts.step(1);
    else if (code === "Home") acts.jump("first");
    else if (code === "End") acts.jump("last");
    else if (code === "Space" && free) acts.toggle();
    else return false;
    return true;
  }
}

/** AltGr writes letters on other keyboards, and Alt belongs to the browser. @param {KeyboardEvent} event */
const isForeign = (event) => event.altKey || event.getModifierState("AltGraph");

/** Where keys are typed or already mean something. @param {EventTarget | null} target */
const isBusy = (target) =>
  target instanceof Element &&
  target.closest("input:not([type=range]), textarea, select, dialog, [role=menu], [contenteditable]") !==
    null;
