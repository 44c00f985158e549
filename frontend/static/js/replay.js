/**
 * Looking back, while a game runs and after it: which step is shown, and playing on from it. The
 * place is a seq, so that nothing that happens live can move it.
 *
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 * @typedef {import("./history.js").Entry} Entry
 */

import { squeezed } from "./clock.js";

export const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const PERIOD = 1000;
/** A place of the address whose page did not come is asked for again, each time after twice as long. */
const [AGAIN, LONGEST] = [1000, 60_000];

/**
 * @param {History} history
 * @param {() => void} onChange
 */
export function createReplay(history, onChange) {
  /** @type {number | null} */
  let place = null;
  let undone = false;
  let playing = false;
  /** @type {number | "played"} */
  let speed = 1;
  let waited = 0;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let wanted = 0;
  /** The seq asked for, while its page is on its way. @type {number | null} */
  let aim = null;

  const self = {
    /** The seq looked at; null is live. */
    get place() {
      return place;
    },
    get playing() {
      return playing;
    },
    get speed() {
      return speed;
    },
    /** How long a squeezed wait was, while it is shown. */
    get waited() {
      return waited;
    },
    /** Whether steps are all actions, undone ones too. */
    get all() {
      return undone || history.line === null;
    },
    get steps() {
      return self.all ? history.head.seq : history.head.ply;
    },
    /** @param {number} step */
    seqOf: (step) => (self.all ? step : (history.line?.[step] ?? step)),
    /** The step shown now; in the line the nearest before it, if it was taken back. */
    get step() {
      return stepOf(place);
    },
    /** Whether what is looked at has been taken back since; an undo or the end shows the step before it. */
    get gone() {
      const entry = place === null ? undefined : history.at(place);
      if (!entry || history.line === null || self.all) return false;
      const stands = history.line[entry.ply];
      return stands === undefined || stands > entry.seq;
    },
    /** How many steps live is ahead. */
    get behind() {
      return place === null ? 0 : Math.max(0, self.steps - self.step);
    },
    /** @param {boolean} show */
    showUndone(show) {
      undone = show;
      if (!show) void history.need(1, history.head.seq).then(onChange);
      onChange();
    },
    /** @param {number} step */
    async go(step) {
      const to = Math.min(Math.max(0, step), self.steps);
      await self.look(self.seqOf(to));
    },
    /** From the step shown, or from the one that is on its way: two quick presses are two steps. @param {number} by */
    by: (by) => self.go(stepOf(aim ?? place) + by),
    /** @param {number} seq */
    async look(seq) {
      const mine = ++wanted;
      aim = seq;
      try {
        await history.need(seq, seq);
      } catch {
        if (mine === wanted) aim = null;
        return;
      }
      if (mine === wanted) aim = null;
      // Of several places asked for while pages were on their way, the last one counts.
      if (mine !== wanted || !history.at(seq)) return;
      place = seq;
      onChange();
      void history.around(seq).catch(() => undefined);
    },
    /** Until the place has come, a game that is over shows its start: the end would tell the result.
     * @param {number} ply a place from the address */
    async find(ply) {
      const mine = ++wanted;
      if (place === null && history.head.ended && history.at(0)) place = 0;
      for (let rest = AGAIN; rest < LONGEST; rest *= 2) {
        try {
          const seq = await history.find(Math.min(ply, history.head.ply));
          if (seq !== null) await history.need(seq, seq);
          if (seq !== null && mine === wanted) await self.look(seq);
          return;
        } catch {
          await new Promise((resolve) => setTimeout(resolve, rest));
        }
        if (mine !== wanted) return;
      }
    },
    live() {
      self.pause();
      wanted += 1;
      aim = null;
      place = null;
      onChange();
    },
    /** @param {number | "played"} to */
    setSpeed(to) {
      speed = to;
      if (playing) self.play();
      else onChange();
    },
    async play() {
      clearTimeout(timer);
      if (place === null || self.step >= self.steps) await self.go(0);
      playing = true;
      onChange();
      plan();
    },
    pause() {
      clearTimeout(timer);
      if (!playing) return;
      playing = false;
      waited = 0;
      onChange();
    },
    toggle: () => (playing ? self.pause() : void self.play()),
  };
  return self;

  /** @param {number | null} seq */
  function stepOf(seq) {
    if (seq === null) return self.steps;
    return self.all ? seq : stepIn(history.line ?? [], seq);
  }

  function plan() {
    clearTimeout(timer);
    if (!playing) return;
    if (self.step >= self.steps) {
      self.pause();
      return;
    }
    timer = setTimeout(async () => {
      await self.by(1);
      plan();
    }, pause());
  }

  /** The time to rest before the next step. */
  function pause() {
    waited = 0;
    if (speed !== "played") return PERIOD / speed;
    const now = history.at(place ?? 0);
    const next = history.at(self.seqOf(self.step + 1));
    const real = now && next ? Math.max(0, next.elapsed_ms - now.elapsed_ms) : PERIOD;
    const short = squeezed(real);
    if (short < real) {
      waited = real;
      onChange();
    }
    return short;
  }
}

/** The last step of the line that is not after a seq.
 * @param {number[]} line @param {number} seq */
function stepIn(line, seq) {
  let [low, high] = [0, line.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((line[middle] ?? 0) <= seq) low = middle;
    else high = middle - 1;
  }
  return low;
}
