/**
 * The elements the felt is made of: a group for each pile with its empty place, and the cards.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 *
 * @typedef {object} Group
 * @property {PileInfo} info @property {HTMLElement} element @property {HTMLElement} slot
 * @property {HTMLElement} wedge @property {string} key what was shown last
 * @property {HTMLElement | null} ring its card or empty place that would take the run in hand
 * @typedef {object} Card
 * @property {HTMLElement} element @property {SVGElement} svg
 * @property {string} face @property {string} drawn @property {string} key what was shown last
 * @property {number} x @property {number} y @property {number} scale
 */

import { isDown } from "./board.js";
import { draw, make, shape } from "./dom.js";

const CARD_BOX = "0 0 100 140";

/** @param {PileInfo} info @param {string} sprite @returns {Group} */
export function pilePiece(info, sprite) {
  const slot = make("div", { class: "slot", "data-pile": info.name, tabindex: "-1" });
  if (info.suit) slot.append(draw(`${sprite}#pip-${info.suit.toLowerCase()}`, "0 0 100 100").svg);
  if (info.role === "stock") slot.append(make("span", { class: "turn", "aria-hidden": "true" }, "↻"));
  const wedge = make("div", { class: "wedge", "aria-hidden": "true" });
  const element = make(
    "div",
    { class: `pile ${info.role}`, role: "group", "data-pile": info.name },
    slot,
    wedge,
  );
  return { info, element, slot, wedge, key: "", ring: null };
}

/** @returns {Card} */
export function cardPiece() {
  const svg = shape("svg", { viewBox: CARD_BOX, "aria-hidden": "true" });
  const element = make("div", { class: "card", tabindex: "-1" }, svg);
  return { element, svg, face: "", drawn: "", key: "", x: 0, y: 0, scale: 1 };
}

/** Gives a card the face it shows.
 * @param {Card} card @param {boolean} small @param {ReturnType<typeof import("./faces.js").facesOf>} faces */
export function dress(card, small, faces) {
  const name = isDown(card.face) ? "back" : `${small ? "small" : "full"}-${card.face}`;
  if (card.drawn === name) return;
  card.drawn = name;
  faces.draw(card.svg, name);
  card.element.dataset.suit = isDown(card.face) ? "" : (card.face[1] ?? "").toLowerCase();
}

/** Where each element was put last: to write it again would make the browser look at its style again.
 * @type {WeakMap<HTMLElement, string>} */
const put = new WeakMap();

/** @param {HTMLElement} element @param {number} x @param {number} y @param {number} scale */
export function at(element, x, y, scale) {
  const key = `${x} ${y} ${scale}`;
  if (put.get(element) === key) return;
  put.set(element, key);
  const { style } = element;
  style.left = `${x}px`;
  style.top = `${y}px`;
  if (scale === 1) style.removeProperty("--k");
  else style.setProperty("--k", String(scale));
}

/** Marks what would take the run in hand.
 * @param {Map<string, Group>} groups @param {ReadonlySet<string>} takes
 * @param {(pile: string) => HTMLElement | null} lastOf its last card, or its empty place */
export function rings(groups, takes, lastOf) {
  for (const [name, group] of groups) {
    const target = takes.has(name) ? lastOf(name) : null;
    if (group.ring !== target) group.ring?.classList.remove("takes", "hot");
    group.ring = target;
    group.wedge.classList.toggle("shown", target !== null);
  }
  for (const { ring } of groups.values()) ring?.classList.add("takes");
}

/** The one under the hand. @param {Map<string, Group>} groups @param {string | null} pile */
export function heat(groups, pile) {
  for (const [name, { ring }] of groups) ring?.classList.toggle("hot", name === pile);
}
