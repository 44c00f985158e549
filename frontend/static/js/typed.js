/**
 * Moves as they are typed: `t4x3-t7` as everywhere, `4 7` from column to column, `4` where only one place
 * takes anything, and the words for the rest. Pure; what is legal stands in `dests`. While a move waits for
 * its answer nobody knows the table that is meant, and nothing is read.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {{layout: PileInfo[], position: string, dests: Record<string, string[]>}} Table
 * @typedef {{command: string, problem?: undefined} | {problem: string, command?: undefined}} Meant
 */

import { readPosition } from "./board.js";
import { pileName } from "./names.js";
import { writeMove, writeSend, writeSource } from "./notation.js";
import { listed } from "./reading.js";

const PLAIN = new Set(["draw", "collect", "undo"]);
const SOURCE = /^([a-z]?\d*)(?:x([1-9]\d?))?$/;
const BETWEEN = /\s*-\s*|\s+/;

/** One spelling for what keyboards of all languages make of it. @param {string} text */
const plain = (text) =>
  text
    .normalize("NFKC")
    .replace(/[ıİ]/g, "i")
    .replace(/[٠-٩]/g, (figure) => String(figure.charCodeAt(0) - 0x660))
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/×/g, "x")
    .toLowerCase()
    .trim();

/** @param {string} text @param {Table} table @returns {Meant} */
export function meant(text, table) {
  const typed = plain(text);
  if (PLAIN.has(typed)) return { command: typed };
  const sends = /^send\b/.test(typed);
  const parts = typed.replace(/^send\s*/, "").split(BETWEEN);
  const [, name = "", digits] = SOURCE.exec(parts[0] ?? "") ?? [];
  if (!name || parts.length > 2 || (sends && parts.length > 1))
    return { problem: gettext("That is no move. Write 4 7, t4x3-t7, draw, undo, collect or send t4.") };
  const [from] = placesOf(name, table.layout);
  if (!from) return unknown(name);
  const count = digits === undefined ? null : Number(digits);
  if (sends) return { command: writeSend({ pile: from.name, count: count ?? 1 }) };
  if (parts[1] === undefined) return alone(from, count, table);
  const targets = placesOf(parts[1], table.layout);
  const first = targets[0];
  if (!first) return unknown(parts[1]);
  const found = legal(from, count, table).find(({ to }) => targets.some((pile) => pile.name === to));
  // What is not legal is asked all the same: the answer names the rule.
  return { command: found?.command ?? writeMove({ pile: from.name, count: count ?? 1 }, first.name) };
}

/** @param {string} name @returns {Meant} */
const unknown = (name) => ({
  problem: interpolate(gettext("There is no place called %(name)s here."), { name }, true),
});

/** The piles that a typed name may mean: a figure is a column, a lone letter all of its kind.
 * @param {string} name @param {PileInfo[]} layout */
function placesOf(name, layout) {
  if (/^\d+$/.test(name)) {
    const columns = layout.filter((pile) => pile.role === "column");
    return columns.slice((Number(name) || 10) - 1).slice(0, 1);
  }
  const exact = layout.filter((pile) => pile.name === name);
  return exact.length > 0 ? exact : layout.filter((pile) => pile.name.replace(/\d+$/, "") === name);
}

/** Every legal move from a pile, the longest run first.
 * @param {PileInfo} from @param {number | null} only so many cards @param {Table} table */
function legal(from, only, { position, dests }) {
  const size = readPosition(position).get(from.name)?.length ?? 0;
  const found = [];
  for (let count = size; count > 0; count -= 1) {
    if (only !== null && count !== only) continue;
    const source = { pile: from.name, count };
    for (const to of dests[writeSource(source)] ?? []) found.push({ to, command: writeMove(source, to) });
  }
  return found;
}

/** A source without a place: meant only where there is no choice.
 * @param {PileInfo} from @param {number | null} count @param {Table} table @returns {Meant} */
function alone(from, count, table) {
  const moves = legal(from, count, table);
  const places = [...new Set(moves.map(({ to }) => to))];
  const place = pileName(from);
  if (moves[0] === undefined)
    return { problem: interpolate(gettext("%(place)s: nothing can move from there."), { place }, true) };
  if (places.length === 1) return { command: moves[0].command };
  const names = listed(table.layout.filter(({ name }) => places.includes(name)).map(pileName));
  return {
    problem: interpolate(
      gettext("%(place)s: more than one place would take cards. Say which: %(places)s."),
      { place, places: names },
      true,
    ),
  };
}
