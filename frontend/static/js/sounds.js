/** Short sounds, made here and off by default: a card laid down, a refusal, a run that leaves, a win. */

import { prefers } from "./preferences.js";

/**
 * @typedef {{at: number, hertz: number, ms: number, loud: number}} Tone  `at` in ms after the event
 * @type {Record<"move" | "refusal" | "run" | "win", Tone[]>}
 */
const SOUNDS = {
  move: [{ at: 0, hertz: 420, ms: 45, loud: 0.12 }],
  refusal: [{ at: 0, hertz: 150, ms: 110, loud: 0.16 }],
  run: [0, 70, 140].map((at, step) => ({ at, hertz: 440 * 1.25 ** step, ms: 90, loud: 0.1 })),
  win: [0, 110, 220, 330].map((at, step) => ({ at, hertz: 392 * 1.26 ** step, ms: 220, loud: 0.1 })),
};

/** @type {AudioContext | null} */
let context = null;

/** @param {keyof typeof SOUNDS} name */
export function play(name) {
  if (!prefers("sounds") || document.hidden) return;
  context ??= new AudioContext();
  // A page may make no sound before somebody has touched it: then this one is left out.
  if (context.state === "suspended") void context.resume().catch(() => undefined);
  for (const tone of SOUNDS[name]) strike(context, tone);
}

/** @param {AudioContext} context @param {Tone} tone */
function strike(context, { at, hertz, ms, loud }) {
  const from = context.currentTime + at / 1000;
  const until = from + ms / 1000;
  const [body, volume] = [context.createOscillator(), context.createGain()];
  body.type = "triangle";
  body.frequency.setValueAtTime(hertz * 1.5, from);
  body.frequency.exponentialRampToValueAtTime(hertz, from + 0.012);
  volume.gain.setValueAtTime(loud, from);
  volume.gain.exponentialRampToValueAtTime(0.0005, until);
  body.connect(volume).connect(context.destination);
  body.start(from);
  body.stop(until);
}
