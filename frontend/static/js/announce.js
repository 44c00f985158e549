/**
 * The one place that speaks. Each sentence is a new line, so that two equal ones are both read;
 * a spectator hears the newest of a burst, not all of it.
 */

import { make } from "./dom.js";

const KEPT = 3;
const PAUSE = 2500;

/** @param {HTMLElement} region @param {() => number} now */
export function announcer(region, now) {
  let spoken = Number.NEGATIVE_INFINITY;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let waiting = "";

  /** @param {string} text */
  function say(text) {
    clearTimeout(timer);
    timer = undefined;
    spoken = now();
    region.append(make("p", {}, text));
    while (region.childElementCount > KEPT) region.firstElementChild?.remove();
  }

  return {
    say,
    /** What nobody here has asked for: spoken with pauses. @param {string} text */
    tell(text) {
      waiting = text;
      if (timer !== undefined) return;
      const rest = spoken + PAUSE - now();
      if (rest <= 0) say(text);
      else timer = setTimeout(() => say(waiting), rest);
    },
  };
}
