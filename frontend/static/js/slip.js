/**
 * The slip of paper on which a refused move is explained: below the cards it would cover, tied to
 * its column by a hairline. It stays until the next act, and at least six seconds otherwise.
 *
 * @typedef {import("./layout.js").Geometry} Geometry
 */

import { setText } from "./dom.js";

const STAYS = 6000;
const GAP = 18;

/** @param {HTMLElement} table @param {HTMLElement} element */
export function slipOf(table, element) {
  const leader = /** @type {HTMLElement} */ (element.querySelector(".leader"));
  const sentence = /** @type {HTMLElement} */ (element.querySelector(".sentence"));
  const detail = /** @type {HTMLElement} */ (element.querySelector(".detail"));
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  function hide() {
    clearTimeout(timer);
    element.toggleAttribute("hidden", true);
  }

  return {
    hide,
    /**
     * @param {string} text @param {string} small what cards it is about
     * @param {Geometry} geometry @param {string} pile
     */
    show(text, small, geometry, pile) {
      clearTimeout(timer);
      setText(sentence, text);
      setText(detail, small);
      detail.hidden = small === "";
      element.hidden = false;
      const room = { width: table.clientWidth, height: table.clientHeight };
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      const spot = geometry.spots.get(pile);
      const middle = spot ? spot.slot.x + spot.slot.w / 2 : room.width / 2;
      const { left, top } = berth(geometry, room, size, middle);
      element.style.left = `${left}px`;
      element.style.top = `${top}px`;
      const from = spot ? spot.reach + 8 : top;
      const under = middle >= left && middle <= left + size.width;
      // No leader where other cards lie between: it would cross them.
      const tied = spot !== undefined && under && top - from > 6 && below(geometry, middle, 1) === spot.reach;
      leader.hidden = !tied;
      leader.style.left = `${middle - left}px`;
      leader.style.height = `${top - from}px`;
      timer = setTimeout(hide, STAYS);
    },
  };
}

/**
 * The place nearest to a column where the slip covers no card; if there is none, the lowest.
 * @param {Geometry} geometry @param {{width: number, height: number}} room
 * @param {{width: number, height: number}} size @param {number} middle
 */
export function berth(geometry, room, size, middle) {
  const most = room.width - size.width - 8;
  const ideal = Math.min(Math.max(8, middle - size.width / 2), Math.max(8, most));
  const lowest = Math.max(8, room.height - size.height - 8);
  let best = { left: ideal, top: lowest, cost: Number.POSITIVE_INFINITY };
  for (let left = 8; left <= Math.max(8, most); left += 8) {
    const near = Math.abs(left - ideal);
    const top = below(geometry, left, size.width) + GAP + 24;
    if (top <= lowest && near < best.cost) best = { left, top, cost: near };
  }
  const top = below(geometry, ideal, size.width) + GAP + 24;
  return top <= lowest ? { left: ideal, top } : best;
}

/** @param {Geometry} geometry @param {number} left @param {number} width */
function below(geometry, left, width) {
  let reach = 0;
  for (const spot of geometry.spots.values()) {
    const apart = spot.slot.x >= left + width || spot.slot.x + spot.slot.w <= left;
    if (!apart) reach = Math.max(reach, spot.reach);
  }
  return reach;
}
