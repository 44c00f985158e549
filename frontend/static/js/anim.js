/**
 * Flights of cards: measured, moved, and the difference played. One card has one flight at most,
 * so a new one starts where the old one was, and there are never more flights than cards.
 */

import { prefers } from "./preferences.js";

const FLIGHT = "cubic-bezier(.2,.7,.2,1)";
const HOME = "cubic-bezier(.3,0,.2,1)";
const LONGEST = 260;

/** @typedef {{dx: number, dy: number, scale: number}} Off how something is seen, against where it lies */
/** @type {Map<HTMLElement, {animation: Animation, from: Off}>} */
const flights = new Map();

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether somebody wants no flights: by the system, or here. */
export const isQuiet = () => reduced.matches || prefers("still");

/** @param {HTMLElement} element */
export const isFlying = (element) => flights.has(element);

export const isAnyFlying = () => flights.size > 0;

/** How a card is seen now, in flight or in the hand; null at rest. Reckoned, since to ask the layout for it in the middle
 * of drawing would make that twice. @param {HTMLElement} element @returns {Off | null} */
export function off(element) {
  const flight = flights.get(element);
  if (flight) {
    const { animation, from } = flight;
    const progress = animation.effect?.getComputedTiming().progress ?? 0;
    const rest = animation.playState === "finished" ? 0 : 1 - progress;
    return { dx: from.dx * rest, dy: from.dy * rest, scale: 1 + (from.scale - 1) * rest };
  }
  if (!element.style.transform) return null;
  const { e, f } = new DOMMatrixReadOnly(element.style.transform);
  return { dx: e, dy: f, scale: 1 };
}

/**
 * @param {HTMLElement} element already at its new place
 * @param {Off} from
 * @param {{home?: boolean, delay?: number, ms?: number, order?: number}} [how]
 */
export function fly(element, from, how = {}) {
  const { dx, dy, scale } = from;
  land(element);
  const distance = Math.hypot(dx, dy);
  if (isQuiet() || (distance < 1 && Math.abs(scale - 1) < 0.01)) return;
  const duration = how.ms ?? (how.home ? 220 : Math.min(LONGEST, 160 + 0.08 * distance));
  const animation = element.animate(
    [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }],
    { duration, delay: how.delay ?? 0, easing: how.home ? HOME : FLIGHT, fill: "backwards" },
  );
  element.style.zIndex = String(100 + (how.order ?? 0));
  flights.set(element, { animation, from });
  animation.onfinish = () => {
    if (flights.get(element)?.animation === animation) land(element);
  };
}

/** A card turns on its middle. @param {HTMLElement} element */
export function turnOver(element) {
  if (isQuiet()) return;
  element.firstElementChild?.animate([{ transform: "scaleX(0)" }, { transform: "none" }], {
    duration: 140,
    easing: "ease-out",
  });
}

/** @param {HTMLElement} element */
export function land(element) {
  const flight = flights.get(element);
  if (!flight) return;
  flights.delete(element);
  flight.animation.cancel();
  element.style.zIndex = element.dataset.rest ?? "";
}

/** Everything is where it belongs, now. */
export function landAll() {
  for (const element of [...flights.keys()]) land(element);
}
