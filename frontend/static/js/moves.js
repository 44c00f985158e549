/**
 * The list of moves, beside the table or as a ribbon under it. Only what can be seen is in the
 * document, so that a game of twenty thousand actions scrolls like one of twenty.
 *
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 * @typedef {{score: number | null}} Scored
 * @typedef {{command: string, plain: string, gain: number, aside: boolean, undone: boolean}} Facts
 */

import { byId, make, setAttribute } from "./dom.js";
import { isAside } from "./history.js";
import { word } from "./sentences.js";

const SPARE = 6;
const RIBBON = 12;

/** @param {Replay} replay @param {History} history */
export function createMoves(replay, history) {
  const [panel, ribbon] = [byId("moves"), byId("ribbon")];
  const list = make("ol", { class: "list", "aria-label": gettext("Moves") });
  panel.append(list);
  panel.tabIndex = -1;
  const rows = itemsOf(list, "li");
  const strip = itemsOf(ribbon, null);
  let shown = -1;
  // What is asked of the layout is asked when it has just been made: asked in between, it would be made twice.
  const room = { high: 0, wide: 0, row: 30, top: 0, ribbon: 0 };

  panel.addEventListener(
    "scroll",
    () => {
      room.top = panel.scrollTop;
      fill();
    },
    { passive: true },
  );
  new ResizeObserver(() => {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16;
    room.row = rem * (Number.parseFloat(getComputedStyle(panel).getPropertyValue("--row")) || 2);
    [room.high, room.wide, room.top] = [panel.clientHeight, panel.clientWidth, panel.scrollTop];
    follow();
    fill();
  }).observe(panel);
  new ResizeObserver(() => {
    room.ribbon = ribbon.clientWidth;
    fillRibbon();
  }).observe(ribbon);
  for (const place of [list, ribbon]) {
    place.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("[data-step]") : null;
      if (!(item instanceof HTMLElement)) return;
      replay.pause();
      void replay.go(Number(item.dataset.step));
    });
  }

  /** What an item says of a step. @param {number} step */
  function facts(step) {
    const entry = history.at(replay.seqOf(step));
    const previous = step > 0 ? history.at(replay.seqOf(step - 1)) : undefined;
    const aside = entry !== undefined && isAside(entry);
    const line = replay.all && !aside ? history.line : null;
    return {
      command: entry?.command ?? "…",
      plain: entry ? word(entry) : "",
      gain: entry && previous && entry.command !== "undo" ? worth(entry, previous) : 0,
      aside,
      undone: entry !== undefined && line !== null && line[entry.ply] !== entry.seq,
    };
  }

  /** What a step has brought, apart from what every move costs.
   * @param {Scored} entry @param {Scored} previous */
  function worth(entry, previous) {
    const [start, first] = [history.at(0), history.at(1)];
    const cost = Math.min(0, (first?.score ?? 0) - (start?.score ?? first?.score ?? 0));
    return (entry.score ?? 0) - (previous.score ?? entry.score ?? 0) - cost;
  }

  const columns = () => (room.wide > 220 ? 2 : 1);

  function fill() {
    if (room.high === 0) return;
    const { row, top, high } = room;
    const wide = columns();
    const most = Math.ceil(replay.steps / wide);
    const first = Math.max(0, Math.floor(top / row) - SPARE);
    const last = Math.min(most, Math.ceil((top + high) / row) + SPARE);
    list.style.height = `${most * row}px`;
    list.style.paddingTop = `${first * row}px`;
    list.style.setProperty("--columns", String(wide));
    const [from, to] = [first * wide + 1, Math.min(last * wide, replay.steps)];
    rows.show(from, to, replay.step, facts);
    list.querySelectorAll("li").forEach((element, index) => {
      setAttribute(element, "aria-posinset", String(from + index));
      setAttribute(element, "aria-setsize", String(replay.steps));
    });
    let [lack, until] = [0, 0];
    for (let step = from; step <= to; step += 1) {
      const seq = replay.seqOf(step);
      if (!history.at(seq)) [lack, until] = [lack || seq, seq];
    }
    if (lack) void history.need(lack, until).catch(() => undefined);
  }

  function fillRibbon() {
    if (ribbon.hidden || room.ribbon === 0) return;
    strip.show(
      Math.max(1, replay.step - RIBBON),
      Math.min(replay.steps, replay.step + RIBBON),
      replay.step,
      facts,
    );
    const now = strip.at(replay.step);
    ribbon.scrollLeft = now ? now.offsetLeft - (room.ribbon - now.offsetWidth) / 2 : 0;
  }

  /** Scrolls the list to the step looked at, where that is out of sight. */
  function follow() {
    if (room.high === 0) return;
    const { row, high } = room;
    const top = Math.floor((Math.max(1, replay.step) - 1) / columns()) * row;
    if (top >= room.top + row && top <= room.top + high - 2 * row) return;
    list.style.height = `${Math.ceil(replay.steps / columns()) * row}px`;
    panel.scrollTop = top - high / 2;
    room.top = panel.scrollTop;
  }

  return {
    /** On a phone: opens the list that the ribbon stands for, or closes it. */
    toggle() {
      const open = byId("place").classList.toggle("listed");
      byId("acts").querySelector('[data-act="list"]')?.setAttribute("aria-expanded", String(open));
    },
    show() {
      setAttribute(panel, "data-steps", String(replay.steps));
      if (shown !== replay.step) {
        shown = replay.step;
        follow();
      }
      fill();
      fillRibbon();
    },
  };
}

/**
 * Buttons for some steps in a row. One that says the same as before stays in the document as it is.
 *
 * @param {HTMLElement} place @param {"li" | null} around what holds each button
 */
function itemsOf(place, around) {
  /** @type {Map<number, {element: HTMLElement, button: HTMLElement, key: string}>} */
  let items = new Map();

  /** @param {number} step @param {string} key @param {Facts} facts */
  function build(step, key, { command, plain, gain, aside, undone }) {
    const button = make("button", { type: "button", tabindex: "-1", "data-step": String(step) });
    const text = plain ? make("bdi", {}, plain) : make("bdi", { class: "mono" }, command);
    button.append(make("span", { class: "ply" }, String(step)), text);
    if (gain > 0) button.append(make("span", { class: "gain" }, `+${gain}`));
    button.classList.toggle("aside", aside);
    button.classList.toggle("undone", undone);
    if (undone) button.append(make("span", { class: "unseen" }, gettext("taken back")));
    return { element: around ? make(around, {}, button) : button, button, key };
  }

  return {
    /** @param {number} from @param {number} to @param {number} now @param {(step: number) => Facts} factsOf */
    show(from, to, now, factsOf) {
      const focused = place.contains(document.activeElement);
      const old = items;
      items = new Map();
      for (let step = from; step <= to; step += 1) {
        const facts = factsOf(step);
        const key = Object.values(facts).join();
        const kept = old.get(step);
        items.set(step, kept?.key === key ? kept : build(step, key, facts));
      }
      for (const [step, { element }] of old) if (items.get(step)?.element !== element) element.remove();
      let next = place.firstElementChild;
      for (const [step, { element, button }] of items) {
        if (element === next) next = next.nextElementSibling;
        else place.insertBefore(element, next);
        setAttribute(button, "tabindex", step === now ? "0" : "-1");
        setAttribute(button, "aria-current", step === now ? "step" : null);
      }
      if (focused) items.get(now)?.button.focus({ preventScroll: true });
    },
    /** @param {number} step */
    at: (step) => items.get(step)?.button,
  };
}
