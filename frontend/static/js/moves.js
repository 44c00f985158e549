/**
 * The list of moves, beside the table or as a ribbon under it. Only what can be seen is in the
 * document, so that a game of twenty thousand actions scrolls like one of twenty.
 *
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 * @typedef {{score: number | null}} Scored
 */

import { make, setAttribute } from "./dom.js";
import { isAside } from "./history.js";

const SPARE = 6;
const RIBBON = 12;

/** @param {HTMLElement} panel @param {HTMLElement} ribbon @param {Replay} replay @param {History} history */
export function createMoves(panel, ribbon, replay, history) {
  const list = make("ol", { class: "list", "aria-label": gettext("Moves") });
  panel.append(list);
  panel.tabIndex = -1;
  let shown = -1;

  panel.addEventListener("scroll", fill, { passive: true });
  new ResizeObserver(fill).observe(panel);
  for (const place of [list, ribbon]) {
    place.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("[data-step]") : null;
      if (!(item instanceof HTMLElement)) return;
      replay.pause();
      void replay.go(Number(item.dataset.step));
    });
  }

  /** @param {number} step */
  function item(step) {
    const entry = history.at(replay.seqOf(step));
    const previous = step > 0 ? history.at(replay.seqOf(step - 1)) : undefined;
    const now = step === replay.step;
    const button = make("button", { type: "button", tabindex: now ? "0" : "-1", "data-step": String(step) });
    button.append(
      make("span", { class: "ply" }, String(step)),
      make("bdi", { class: "mono" }, entry?.command ?? "…"),
    );
    const gain = entry && previous && entry.command !== "undo" ? worth(entry, previous) : 0;
    if (gain > 0) button.append(make("span", { class: "gain" }, `+${gain}`));
    if (now) button.setAttribute("aria-current", "step");
    if (entry && isAside(entry)) button.classList.add("aside");
    if (entry && replay.all && !isAside(entry) && history.line && !history.line.includes(entry.seq)) {
      button.classList.add("undone");
      button.append(make("span", { class: "unseen" }, gettext("taken back")));
    }
    return button;
  }

  /** What a step has brought, apart from what every move costs.
   * @param {Scored} entry @param {Scored} previous */
  function worth(entry, previous) {
    const [start, first] = [history.at(0), history.at(1)];
    const cost = Math.min(0, (first?.score ?? 0) - (start?.score ?? first?.score ?? 0));
    return (entry.score ?? 0) - (previous.score ?? entry.score ?? 0) - cost;
  }

  function size() {
    const row = Number.parseFloat(getComputedStyle(panel).getPropertyValue("--row")) || 30;
    const columns = panel.clientWidth > 220 ? 2 : 1;
    return {
      row: row * (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16),
      columns,
    };
  }

  function fill() {
    if (panel.clientHeight === 0) return;
    const { row, columns } = size();
    const rows = Math.ceil(replay.steps / columns);
    const first = Math.max(0, Math.floor(panel.scrollTop / row) - SPARE);
    const last = Math.min(rows, Math.ceil((panel.scrollTop + panel.clientHeight) / row) + SPARE);
    list.style.height = `${rows * row}px`;
    list.style.setProperty("--columns", String(columns));
    const focused = list.contains(document.activeElement);
    const items = [];
    let [lack, most] = [0, 0];
    for (let step = first * columns + 1; step <= Math.min(last * columns, replay.steps); step += 1) {
      const element = make(
        "li",
        { "aria-posinset": String(step), "aria-setsize": String(replay.steps) },
        item(step),
      );
      items.push(element);
      const seq = replay.seqOf(step);
      if (!history.at(seq)) [lack, most] = [lack || seq, seq];
    }
    list.replaceChildren(...items);
    list.style.paddingTop = `${first * row}px`;
    if (focused) list.querySelector("[aria-current]")?.closest("button")?.focus({ preventScroll: true });
    if (lack) void history.need(lack, most).catch(() => undefined);
  }

  function fillRibbon() {
    if (ribbon.hidden) return;
    const from = Math.max(1, replay.step - RIBBON);
    const to = Math.min(replay.steps, replay.step + RIBBON);
    ribbon.replaceChildren();
    for (let step = from; step <= to; step += 1) ribbon.append(item(step));
    const now = ribbon.querySelector("[aria-current]");
    if (now instanceof HTMLElement) {
      ribbon.scrollLeft = now.offsetLeft - (ribbon.clientWidth - now.offsetWidth) / 2;
    } else ribbon.scrollLeft = 0;
  }

  return {
    show() {
      setAttribute(panel, "data-steps", String(replay.steps));
      if (shown !== replay.step && panel.clientHeight > 0) {
        shown = replay.step;
        const { row, columns } = size();
        const top = Math.floor((Math.max(1, replay.step) - 1) / columns) * row;
        list.style.height = `${Math.ceil(replay.steps / columns) * row}px`;
        if (top < panel.scrollTop + row || top > panel.scrollTop + panel.clientHeight - 2 * row) {
          panel.scrollTop = top - panel.clientHeight / 2;
        }
      }
      fill();
      fillRibbon();
    },
  };
}
