/**
 * What taps mean: pick and place, double click, and nothing for the third click of a burst. Pure;
 * the table asks `tap` and does what it answers.
 *
 * @typedef {import("./notation.js").Source} Source
 * @typedef {Source & {x: number, y: number, time: number}} Tap  count 0: the empty place of a pile
 * @typedef {{picked: Source | null, last: Tap | null, quiet: Tap | null}} Hand
 *   `quiet`: the tap that ended in a command; others on that spot right after it mean nothing more
 * @typedef {{act: "none"} | {act: "pick", source: Source} | {act: "release"} | {act: "draw"}
 *   | {act: "send", source: Source} | {act: "move", source: Source, to: string}} Meaning
 */

export const DOUBLE = 300;
const SAME_SPOT = 24;

/** @returns {Hand} */
export const emptyHand = () => ({ picked: null, last: null, quiet: null });

/** @param {Source | null} a @param {Source | null} b */
export const sameSource = (a, b) => a !== null && b !== null && a.pile === b.pile && a.count === b.count;

/** @param {Tap} a @param {Tap} b */
const near = (a, b) => Math.abs(a.x - b.x) <= SAME_SPOT && Math.abs(a.y - b.y) <= SAME_SPOT;

/**
 * @param {Hand} hand @param {Tap | null} tap null: the bare felt
 * @param {{draws: boolean, doubles: boolean, liftable: boolean}} about
 *   the tapped pile: a click on it draws; double clicks are on; the tapped card may be picked
 * @returns {[Hand, Meaning]}
 */
export function tap(hand, tap, about) {
  if (!tap)
    return [{ ...hand, picked: null, last: null }, hand.picked ? { act: "release" } : { act: "none" }];
  const { quiet, last, picked } = hand;
  if (about.draws) return [emptyHand(), { act: "draw" }];
  if (quiet && tap.time - quiet.time <= DOUBLE && near(tap, quiet)) {
    return [{ ...hand, quiet: { ...quiet, time: tap.time } }, { act: "none" }];
  }
  const source = { pile: tap.pile, count: tap.count };
  const again = last !== null && sameSource(last, source) && tap.time - last.time <= DOUBLE;
  if (again && tap.count > 0 && about.doubles) {
    return [
      { picked: null, last: null, quiet: tap },
      { act: "send", source },
    ];
  }
  if (picked && picked.pile !== tap.pile) {
    return [
      { picked: null, last: null, quiet: tap },
      { act: "move", source: picked, to: tap.pile },
    ];
  }
  if (sameSource(picked, source)) {
    // The second of two quick clicks where double clicks are off is still no wish to let go.
    return again ? [hand, { act: "none" }] : [{ picked: null, last: tap, quiet: null }, { act: "release" }];
  }
  if (!about.liftable) return [{ ...hand, last: tap }, { act: "none" }];
  return [
    { picked: source, last: tap, quiet: null },
    { act: "pick", source },
  ];
}
