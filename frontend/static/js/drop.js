/**
 * Which pile a dropped run means: the nearest that would take it, by overlap.
 *
 * @typedef {import("./layout.js").Geometry} Geometry
 * @typedef {import("./layout.js").Box} Box
 */

const ENOUGH = 0.3;
/** The pile under the pointer is meant even where the card lies half on its neighbour. */
const POINTER = 0.4;
/** Where the run came from must be left by so much. */
const HOME = 0.35;

/** @param {Box} a @param {Box} b */
function overlap(a, b) {
  const wide = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const high = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return wide > 0 && high > 0 ? (wide / a.w) * Math.min(1, (2 * high) / a.h) : 0;
}

/**
 * @param {Geometry} geometry @param {Box} card the first card of the run, where it is now
 * @param {{x: number, y: number}} pointer @param {string} from
 * @param {ReadonlySet<string>} legal
 * @returns {string | null} null: back home, nothing is meant
 */
export function dropTarget(geometry, card, pointer, from, legal) {
  /** @type {[string, number]} */
  let best = ["", 0];
  /** @type {[string, number]} */
  let wrong = ["", 0];
  let own = 0;
  for (const [name, { zone }] of geometry.spots) {
    const under =
      pointer.x >= zone.x &&
      pointer.x <= zone.x + zone.w &&
      pointer.y >= zone.y &&
      pointer.y <= zone.y + zone.h;
    const score = overlap(card, zone) + (under ? POINTER : 0);
    if (name === from) own = score;
    else if (legal.has(name)) best = score > best[1] ? [name, score] : best;
    else wrong = score > wrong[1] ? [name, score] : wrong;
  }
  if (best[1] >= ENOUGH && best[1] + HOME >= own) return best[0];
  return wrong[1] >= ENOUGH && wrong[1] > own ? wrong[0] : null;
}
