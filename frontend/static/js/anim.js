/**
 * Flights of cards: measured, moved, and the difference played. One card has one flight at most,
 * so a new one starts where the old one was, and there are never more flights than cards.
 */

import { prefers } from "./preferences.js";

const FLIGHT = "cubic-bezier(.2,.7,.2,1)";
const HOME = "cubic-bezier(.3,0,.2,1)";
const LONGEST = 260;

/** @type {Map<HTMLElement, Animation>} */
const flights = new Map();

const reduced = matchMedia("(prefers-reduced-motion: reduce)");

/** Whether somebody wants no flights: by the system, or here. */
export const isQuiet = () => reduced.matches || prefers("still");

/** @param {HTMLElement} element */
export const isFlying = (element) => flights.has(element);

export const isAnyFlying = () => flights.size > 0;

/**
 * @param {HTMLElement} element already at its new place
 * @param {{dx: number, dy: number, scale: number}} from where it was seen, against that place
 * @param {{home?: boolean, delay?: number, ms?: number, order?: number}} [how]
 */
export function fly(element, { dx, dy, scale }, how = {}) {
  land(element);
  const distance = Math.hypot(dx, dy);
  if (isQuiet() || (distance < 1 && Math.abs(scale - 1) < 0.01)) return;
  const duration = how.ms ?? (how.home ? 220 : Math.min(LONGEST, 160 + 0.08 * distance));
  const animation = element.animate(
    [{ transform: `translate(${dx}px, ${dy}px) scale(${scale})` }, { transform: "none" }],
    { duration, delay: how.delay ?? 0, easing: how.home ? HOME : FLIGHT, fill: "backwards" },
  );
  element.style.zIndex = String(100 + (how.order ?? 0));
  flights.set(element, animation);
  animation.onfinish = () => {
    if (flights.get(element) === animation) land(element);
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
  const animation = flights.get(element);
  if (!animation) return;
  flights.delete(element);
  animation.cancel();
  element.style.zIndex = element.dataset.rest ?? "";
}

/** Everything is where it belongs, now. */
export function landAll() {
  for (const element of [...flights.keys()]) land(element);
}
