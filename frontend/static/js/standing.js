/** Score, moves and time, in the caption. */

import { clockText } from "./clock.js";
import { make, setText } from "./dom.js";

/** @param {HTMLElement} list */
export function createStanding(list) {
  const score = figure("in-score", gettext("Score"));
  const moves = figure("in-moves", gettext("Moves"));
  const time = figure("in-time", gettext("Time"));
  list.replaceChildren(score.pair, moves.pair, time.pair);

  /** @param {string} name @param {string} label */
  function figure(name, label) {
    const value = make("dd");
    return { pair: make("div", { class: name }, make("dt", {}, label), value), value };
  }

  return {
    /** @param {{score: number | null, moves: number}} state @param {number} ms */
    show(state, ms) {
      score.pair.toggleAttribute("hidden", state.score === null);
      setText(score.value, String(state.score ?? ""));
      setText(moves.value, String(state.moves));
      setText(time.value, clockText(ms));
    },
  };
}
