/**
 * The history that is looked at: the game's own, or, once it is over, a line that it did not take. Whoever
 * steps, draws and lists works on either and does not know which.
 *
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 * @typedef {import("./history.js").Entry} Entry
 * @typedef {import("./protocol.js").Change} Change
 */

import { createHistory } from "./history.js";

/** @param {History} game */
export function createVariation(game) {
  /** @type {History | null} */
  let other = null;
  const now = () => other ?? game;

  return {
    ...game,
    /** Shows another line, or, with null, the game's own again. @param {History | null} line */
    vary(line) {
      other = line;
    },
    get isVaried() {
      return other !== null;
    },
    get head() {
      return now().head;
    },
    get straight() {
      return now().straight;
    },
    get line() {
      return now().line;
    },
    /** @param {number} seq */
    at: (seq) => now().at(seq),
    /** @param {number} from @param {number} to */
    need: (from, to) => now().need(from, to),
    /** @param {number} seq */
    around: (seq) => now().around(seq),
    whole: () => now().whole(),
    /** @param {number} ply */
    find: (ply) => now().find(ply),
  };
}

/**
 * A game up to a ply and from there on another line, as a history in which nothing was ever undone.
 * @param {History} game all of it up to there must be here
 * @param {number} ply @param {Change[]} line the updates after it
 */
export function branch(game, ply, line) {
  const history = createHistory(
    async () => ({ updates: [], next: null }),
    () => undefined,
  );
  const trunk = (game.line ?? []).slice(1, ply + 1).map((seq) => game.at(seq));
  const steps = [...trunk, ...line].filter((entry) => entry !== undefined);
  const start = game.at(0);
  if (start) history.begin(start);
  history.add(steps.map((entry, at) => /** @type {Change} */ ({ ...entry, seq: at + 1, ply: at + 1 })));
  const last = steps.at(-1);
  if (last)
    history.reach(/** @type {Change} */ ({ ...last, seq: steps.length, ply: steps.length, status: "won" }));
  return history;
}
