/**
 * A move that found the session over: kept over the log-in, so that it is not lost.
 *
 * @typedef {{id: string, seq: number, command: string}} Kept
 */

const KEY = "tableau.kept.";

/** @param {string} code of the game @param {Kept} move */
export function keep(code, { id, seq, command }) {
  try {
    sessionStorage.setItem(KEY + code, JSON.stringify({ id, seq, command }));
  } catch {
    // Without storage the move must be made again.
  }
}

/** @param {string} code of the game @returns {Kept | null} */
export function take(code) {
  try {
    const text = sessionStorage.getItem(KEY + code);
    sessionStorage.removeItem(KEY + code);
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
