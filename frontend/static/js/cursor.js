/**
 * Where the keyboard is, and where an arrow leads. Pure, over the geometry of the felt.
 *
 * @typedef {import("./layout.js").Geometry} Geometry
 * @typedef {import("./layout.js").Spot} Spot
 * @typedef {{pile: string, index: number}} Cursor  index from the table up, -1 the empty place
 * @typedef {"ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown"} Arrow
 */

/** @param {Spot} spot */
const last = (spot) => spot.cards.length - 1;

/** Cards of a heap lie one on another: only its last is a place to be.
 * @param {Spot} spot @param {number} index */
const heaped = (spot, index) => {
  const here = spot.cards[index];
  const next = spot.cards[index + 1];
  return here !== undefined && next !== undefined && here.x === next.x && here.y === next.y;
};

/** @param {Geometry} geometry @param {Cursor} cursor @returns {Cursor} a place that exists */
export function clamp(geometry, cursor) {
  const spot = geometry.spots.get(cursor.pile);
  if (!spot) return cursor;
  let index = Math.min(Math.max(cursor.index, spot.cards.length ? 0 : -1), last(spot));
  while (heaped(spot, index)) index += 1;
  return { pile: cursor.pile, index };
}

/** @param {Geometry} geometry @param {Cursor} cursor @param {Arrow} key @returns {Cursor} */
export function go(geometry, cursor, key) {
  const spot = geometry.spots.get(cursor.pile);
  if (!spot) return cursor;
  if (key === "ArrowUp" && cursor.index > 0 && !heaped(spot, cursor.index - 1)) {
    return { pile: cursor.pile, index: cursor.index - 1 };
  }
  if (key === "ArrowDown" && cursor.index < last(spot)) {
    return clamp(geometry, { pile: cursor.pile, index: cursor.index + 1 });
  }
  const pile = neighbour(geometry, cursor.pile, spot, key);
  if (pile === null) return cursor;
  const target = /** @type {Spot} */ (geometry.spots.get(pile));
  const index =
    key === "ArrowUp"
      ? last(target)
      : key === "ArrowDown"
        ? 0
        : cursor.index === last(spot)
          ? last(target)
          : cursor.index;
  return clamp(geometry, { pile, index });
}

/** The nearest pile in a direction: in the same row for left and right.
 * @param {Geometry} geometry @param {string} name @param {Spot} spot @param {Arrow} key */
function neighbour(geometry, name, spot, key) {
  const across = key === "ArrowLeft" || key === "ArrowRight";
  const forward = key === "ArrowRight" || key === "ArrowDown";
  /** @type {string | null} */
  let best = null;
  let least = Number.POSITIVE_INFINITY;
  for (const [other, { slot }] of geometry.spots) {
    if (other === name) continue;
    const dx = slot.x - spot.slot.x;
    const dy = slot.y - spot.slot.y;
    const [along, aside] = across ? [dx, dy] : [dy, dx];
    if (Math.abs(along) < 1 || along > 0 !== forward) continue;
    const distance = Math.abs(along) + 4 * Math.abs(aside);
    if (distance < least) [best, least] = [other, distance];
  }
  return best;
}
