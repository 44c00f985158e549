/** The game's time: the server's, counted on here between two messages. */

/**
 * @param {{elapsed_ms: number, running: boolean}} state
 * @param {number} heard when it came @param {number} now
 */
export const elapsed = (state, heard, now) =>
  state.elapsed_ms + (state.running ? Math.max(0, now - heard) : 0);

/** Whole seconds as m:ss, or h:mm:ss. @param {number} ms */
export function clockText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const tail = two(seconds % 60);
  return hours ? `${hours}:${two(minutes)}:${tail}` : `${minutes}:${tail}`;
}

/** How long a replay "as played" rests before a step; long waits are squeezed.
 * @param {number} ms the pause as it was */
export function squeezed(ms) {
  const LONGEST = 3000;
  return Math.min(ms, LONGEST);
}
