/**
 * The felt over time: one frame after another, an event of several moves in several stages. Any new
 * frame, and any touch, ends what is still under way.
 *
 * @typedef {import("./state.js").State} State
 * @typedef {import("./protocol.js").Change} Change
 * @typedef {import("./protocol.js").Effect} Effect
 * @typedef {import("./history.js").Entry} Entry
 * @typedef {import("./view.js").Drawn} Drawn
 * @typedef {import("./notation.js").Source} Source
 * @typedef {{takes: ReadonlySet<string>, hot: string | null, picked: Source | null, held: Source | null}} Marks
 * @typedef {ReturnType<typeof import("./render.js").renderer>} Renderer
 */

import { isAnyFlying, isQuiet, landAll } from "./anim.js";
import { stages } from "./board.js";
import { frame, runOf } from "./view.js";

const BETWEEN_SENT = 70;
const BETWEEN_MOVES = 220;
const MOST_STAGES = 60;

/** @param {Renderer} renderer */
export function createFelt(renderer) {
  /** @type {Drawn} */
  let drawn = { position: "", ahead: null, seq: -1, live: true };
  /** @type {(() => void)[]} */
  let queue = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Effect[]} */
  let lastEffects = [];

  function finish() {
    clearTimeout(timer);
    const last = queue.at(-1);
    queue = [];
    last?.();
  }

  /** @param {number} ms */
  function next(ms) {
    queue.shift()?.();
    clearTimeout(timer);
    if (queue.length > 0) timer = setTimeout(() => next(ms), ms);
  }

  return {
    /** Ends all movement: cards lie where they belong. */
    settle() {
      finish();
      landAll();
    },
    get isStill() {
      return queue.length === 0 && !isAnyFlying();
    },
    /**
     * @param {State} state @param {Change[]} news @param {Entry | null} entry
     * @param {Marks} marks @param {boolean} playable
     * @param {Entry | null} last the event that led to what is live, if it is known
     */
    show(state, news, entry, marks, playable, last) {
      const before = drawn;
      const { drawn: now, effects, home } = frame(state, news, entry, before);
      const same = now.position === before.position;
      drawn = now;
      const busy = marks.picked !== null || marks.held !== null || now.ahead !== null;
      const moved = busy ? null : runOf(entry ?? news.at(-1) ?? last);
      const still = document.hidden || before.seq < 0;
      const scene = { position: now.position, effects, still, home, moved, playable, ...marks };
      if (same && queue.length > 0) {
        queue[queue.length - 1] = () => renderer.render({ ...scene, effects: lastEffects });
        return;
      }
      finish();
      const between = still || isQuiet() || home ? [] : stages(before.position, effects);
      if (between.length === 0 || between.length > MOST_STAGES) {
        renderer.render(scene);
        return;
      }
      const parts = split(effects);
      lastEffects = parts.at(-1) ?? [];
      queue = [...between, now.position].map((position, index) => () => {
        const last = index === between.length;
        renderer.render({ ...scene, position, effects: parts[index] ?? [], moved: last ? moved : null });
      });
      const sent = effects.every(([kind, , , count]) => kind !== "move" || count === 1);
      next(sent ? BETWEEN_SENT : BETWEEN_MOVES);
    },
  };
}

/** Each move with what follows from it. @param {Effect[]} effects */
function split(effects) {
  /** @type {Effect[][]} */
  const parts = [];
  for (const effect of effects) {
    const part = parts.at(-1);
    if (effect[0] === "move" && part?.some(([kind]) => kind === "move")) parts.push([effect]);
    else if (part) part.push(effect);
    else parts.push([effect]);
  }
  return parts;
}
