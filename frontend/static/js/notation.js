/**
 * Commands as they are written everywhere: `t4x3-t7`, `w-t2`, `send t4`, `draw`.
 *
 * @typedef {{pile: string, count: number}} Source  the last `count` cards of a pile
 * @typedef {{kind: "move", from: string, count: number, to: string}} Move
 * @typedef {{kind: "send", from: string, count: number}} Send
 * @typedef {{kind: "draw" | "collect" | "undo" | "give_up"}} Plain
 * @typedef {Move | Send | Plain} Command
 */

const SOURCE = /^([a-z]\d*)(?:x([1-9]\d*))?$/;
const PLAIN = new Set(["draw", "collect", "undo", "give_up"]);

/** @param {Source} source */
export const writeSource = ({ pile, count }) => (count === 1 ? pile : `${pile}x${count}`);

/** @param {Source} source @param {string} to */
export const writeMove = (source, to) => `${writeSource(source)}-${to}`;

/** @param {Source} source */
export const writeSend = (source) => `send ${writeSource(source)}`;

/**
 * @param {string} text
 * @returns {Source | null}
 */
export function readSource(text) {
  const [, pile, count] = SOURCE.exec(text) ?? [];
  return pile === undefined ? null : { pile, count: count === undefined ? 1 : Number(count) };
}

/**
 * @param {string} text
 * @returns {Command | null}
 */
export function readCommand(text) {
  if (PLAIN.has(text)) return { kind: /** @type {Plain["kind"]} */ (text) };
  if (text.startsWith("send ")) {
    const source = readSource(text.slice(5));
    return source && { kind: "send", from: source.pile, count: source.count };
  }
  const [left = "", to = "", ...more] = text.split("-");
  const source = readSource(left);
  if (!source || more.length > 0 || !/^[a-z]\d*$/.test(to)) return null;
  return { kind: "move", from: source.pile, count: source.count, to };
}
