/**
 * The panel in which the table can be read and played in words: a line for moves, and every pile as an item
 * of a list.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 */

import { readPosition } from "./board.js";
import { byId, make, setText } from "./dom.js";
import { pileText } from "./reading.js";

/**
 * @param {HTMLElement} panel @param {PileInfo[]} layout
 * @param {{type: (text: string) => string, closed: () => void, changed: () => void}} world
 *   `type` plays a typed move and returns what is to be said against it, or nothing
 */
export function createWords(panel, layout, { type, closed, changed }) {
  const line = /** @type {HTMLInputElement} */ (byId("typed-move"));
  const form = /** @type {HTMLFormElement} */ (byId("typed"));
  const answer = byId("typed-answer");
  /** @type {[PileInfo, HTMLElement][]} */
  const items = layout.map((pile) => [pile, make("li")]);
  /** @param {boolean} columns */
  const list = (columns) =>
    make("ul", {}, ...items.filter(([pile]) => (pile.role === "column") === columns).map(([, item]) => item));
  byId("words-columns").after(list(true));
  byId("words-others").after(list(false));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (line.value.trim() === "") return;
    const problem = type(line.value);
    setText(answer, problem);
    if (problem) line.select();
    else line.value = "";
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    toggle();
  });

  function toggle() {
    panel.hidden = !panel.hidden;
    byId("place").classList.toggle("worded", !panel.hidden);
    changed();
    if (panel.hidden) closed();
    else if (!form.hidden) line.focus();
    else byId("words-heading").focus();
  }

  return {
    toggle,
    /** To the line, whether the panel was open or not. */
    open() {
      if (panel.hidden) toggle();
      else line.focus();
    },
    /** @param {string} position @param {boolean} playable */
    show(position, playable) {
      form.toggleAttribute("hidden", !playable);
      if (panel.hidden) return;
      const piles = readPosition(position);
      for (const [pile, item] of items) setText(item, pileText(pile, piles.get(pile.name) ?? []));
    },
  };
}
