/**
 * The end of a won game in time: the last cards come to rest, then the end is shown until somebody looks
 * back.
 *
 * @typedef {import("./win.js").Result} Result
 */

import { askBoot } from "./boot.js";

const LAST_LOOK = 500;
const AGAIN = 100;

/**
 * @param {{shown: boolean, result: Result | null}} start as the page came
 * @param {string} address of the game
 * @param {{isStill: () => boolean, changed: () => void}} world
 */
export function createEnding(start, address, { isStill, changed }) {
  let { shown, result } = start;
  let closing = false;

  function show() {
    if (!closing) return;
    if (!isStill()) {
      setTimeout(show, AGAIN);
      return;
    }
    closing = false;
    shown = true;
    changed();
  }

  return {
    /** The end is what the page shows. */
    get shown() {
      return shown;
    },
    /** The game is over, and its last cards are still on their way. */
    get closing() {
      return closing;
    },
    get result() {
      return result;
    },
    /** A game has been won while one was looking on. @param {boolean} own */
    won(own) {
      closing = true;
      setTimeout(show, LAST_LOOK);
      if (!own) return;
      // What the boards say of a game that has just been won only the server knows.
      void askBoot(address).then((boot) => {
        result = boot?.result ?? null;
        changed();
      });
    },
    leave() {
      closing = false;
      shown = false;
    },
  };
}
