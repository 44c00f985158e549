/**
 * Watching one table after another: when a game has ended, or nothing has been played in it for long, the next
 * running one is gone to. Nobody is taken away from a game that still runs, or while looking back.
 */

import { byId } from "./dom.js";

/** The end of a game is shown so long, in seconds. */
const FAREWELL = 8;
/** While there is no other table one is looked for so often, in seconds. */
const AGAIN = 10;
const SECOND = 1000;

const notice = byId("tv");
const place = document.getElementById("place");
const { next = "", quiet = "0" } = notice.dataset;
let left = place ? FAREWELL : AGAIN;
let silence = 0;
let moves = "";

/** Whether the game was over before this page came: then nobody chose the place that is looked at. */
const late = place !== null && place.dataset.view !== "watch";

/** Whether nothing is ahead of what is looked at. */
function isNewest() {
  const last = document.querySelector("#steps .end");
  return last instanceof HTMLButtonElement && last.disabled;
}

/** Whether the end of the game is what is looked at. */
const hasEnded = () => late || (place !== null && place.dataset.view !== "watch" && isNewest());

/** Whether nothing has been played for so long that the game counts as left. */
function isLeft() {
  const now = document.querySelector("#standing .in-moves dd")?.textContent ?? "";
  silence = now === moves ? silence + 1 : 0;
  moves = now;
  return silence >= Number(quiet) && isNewest();
}

async function go() {
  // The answer is a redirect where there is a table to go to, and else the page that waits for one.
  const answer = await fetch(next, { redirect: "manual" }).catch(() => null);
  if (answer?.type === "opaqueredirect") location.replace(next);
}

setInterval(() => {
  const over = hasEnded();
  const free = place === null || isLeft() || over;
  if (place) notice.hidden = !over;
  if (!free) {
    left = FAREWELL;
    return;
  }
  left -= 1;
  if (left > 0) return;
  left = AGAIN;
  void go();
}, SECOND);
