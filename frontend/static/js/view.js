/**
 * From what is known to what is shown: which position, and what led to it from the one drawn before.
 *
 * @typedef {import("./protocol.js").Effect} Effect
 * @typedef {import("./protocol.js").Change} Change
 * @typedef {import("./state.js").State} State
 * @typedef {import("./notation.js").Source} Source
 * @typedef {import("./history.js").Entry} Entry
 *
 * @typedef {object} Drawn what the felt showed last
 * @property {string} position
 * @property {string | null} ahead the move shown before the server had confirmed it
 * @property {number} seq
 * @property {boolean} live
 *
 * @typedef {object} Frame
 * @property {Drawn} drawn
 * @property {Effect[]} effects
 * @property {boolean} home a move is taken back because it was refused
 */

import { moved } from "./board.js";
import { readCommand } from "./notation.js";

/** More than this at once is a jump. */
const MOST = 4;

/** The legal move that is on its way, shown before its answer. @param {State} state */
function ahead(state) {
  const { pending, live } = state;
  if (!pending || pending.seq !== live.seq) return null;
  const command = readCommand(pending.command);
  if (command?.kind !== "move") return null;
  const source = pending.command.slice(0, pending.command.lastIndexOf("-"));
  return live.dests[source]?.includes(command.to) ? command : null;
}

/**
 * @param {State} state @param {Change[]} news what has happened since the last frame
 * @param {Entry | null} entry the step looked at, null for live
 * @param {Drawn} before
 * @returns {Frame}
 */
export function frame(state, news, entry, before) {
  if (entry) {
    const drawn = { position: entry.position, ahead: null, seq: entry.seq, live: false };
    const next = entry.seq === before.seq + 1 && before.ahead === null;
    return { drawn, effects: next ? entry.effects : [], home: false };
  }
  const move = ahead(state);
  const name = move ? (state.pending?.command ?? null) : null;
  const position = move ? moved(state.live.position, move.from, move.to, move.count) : state.live.position;
  const drawn = { position, ahead: name, seq: state.live.seq, live: true };
  const jump = !before.live || news.length > MOST || (news.length === 0 && before.seq !== drawn.seq);
  if (jump) return { drawn, effects: [], home: false };

  /** @type {Effect[]} */
  const effects = [];
  let home = false;
  let rest = news;
  if (before.ahead !== null && before.ahead !== name) {
    const [first, ...others] = news;
    if (first && first.command === before.ahead) {
      effects.push(...first.effects.slice(1));
      rest = others;
    } else {
      const back = readCommand(before.ahead);
      if (back?.kind === "move") effects.push(["move", back.to, back.from, back.count]);
      home = true;
    }
  }
  effects.push(...rest.flatMap((change) => change.effects));
  if (move && before.ahead !== name) effects.push(["move", move.from, move.to, move.count]);
  return { drawn, effects, home };
}

/** The run an event has moved, as it lies after it. @param {{effects: Effect[]} | null} event @returns {Source | null} */
export function runOf(event) {
  const moves = event?.effects.filter(([kind]) => kind === "move") ?? [];
  // What left with the run it has made lies where that went.
  const [, , to, count] = moves.find(([, , to]) => !moves.some(([, from]) => from === to)) ?? [];
  return to === undefined ? null : { pile: String(to), count: Number(count) };
}

/** What the page is for just now.
 * @param {{shown: boolean, closing: boolean}} end @param {boolean} over @param {boolean} plays */
export function modeOf(end, over, plays) {
  if (end.shown) return "won";
  if (over && !end.closing) return "replay";
  return plays ? "play" : "watch";
}
