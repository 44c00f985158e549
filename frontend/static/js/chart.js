/**
 * The score over the moves of an ended game: an ink line, a hairline grid, the place looked at in gold.
 *
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 */

import { make, shape } from "./dom.js";
import { removesRun } from "./transport.js";

const [WIDE, HIGH, LEFT, BOTTOM, TOP] = [320, 140, 34, 120, 12];
const MOST = 3000;

/** @param {HTMLElement} place @param {Replay} replay @param {History} history */
export function createChart(place, replay, history) {
  const svg = shape("svg", {
    viewBox: `0 0 ${WIDE} ${HIGH}`,
    role: "img",
    "aria-label": gettext("Score by move"),
  });
  place.append(make("p", {}, gettext("Score by move")), svg);
  const cursor = shape("g", { class: "now" });
  let drawn = "";
  /** @type {(step: number, score: number) => [number, number]} */
  let at = () => [0, 0];

  function draw() {
    const { steps } = replay;
    /** @type {[number, number][]} */
    const points = [];
    /** @type {number[]} */
    const runs = [];
    for (let step = 0; step <= steps; step += 1) {
      const entry = history.at(replay.seqOf(step));
      if (!entry || entry.score === null) {
        if (step === 0) continue;
        return false;
      }
      points.push([step, entry.score]);
      if (removesRun(entry)) runs.push(points.length - 1);
    }
    if (points.length < 2) return false;
    const key = `${steps} ${points.length} ${points.at(-1)}`;
    if (key === drawn) return true;
    drawn = key;
    const scores = points.map(([, score]) => score);
    const low = Math.floor(Math.min(...scores) / 100) * 100;
    const high = Math.max(low + 100, Math.ceil(Math.max(...scores) / 100) * 100);
    at = (step, score) => [
      LEFT + ((WIDE - LEFT - 8) * step) / Math.max(1, steps),
      BOTTOM - ((BOTTOM - TOP) * (score - low)) / (high - low),
    ];
    svg.replaceChildren();
    const every = Math.ceil((high - low) / 500) * 100;
    for (let score = low; score <= high; score += every) {
      const [, y] = at(0, score);
      const label = shape("text", { x: LEFT - 6, y: y + 3, class: "label end" });
      label.textContent = String(score);
      svg.append(shape("path", { d: `M${LEFT} ${y}H${WIDE - 8}`, class: "grid" }), label);
    }
    const gap = [10, 20, 50, 100, 200, 500, 1000].find((size) => steps / size <= 5) ?? steps;
    for (let step = 0; step <= steps; step += gap) {
      const label = shape("text", { x: at(step, low)[0], y: HIGH - 5, class: "label middle" });
      label.textContent = String(step);
      svg.append(label);
    }
    const path = points
      .map(([step, score]) =>
        at(step, score)
          .map((value) => value.toFixed(1))
          .join(" "),
      )
      .join("L");
    svg.append(shape("path", { d: `M${path}`, class: "line" }), cursor);
    for (const index of runs) {
      const [step, score] = points[index] ?? [0, 0];
      const [cx, cy] = at(step, score);
      svg.append(shape("circle", { cx, cy, r: 3, class: "run" }));
    }
    return true;
  }

  return {
    show() {
      place.hidden = replay.steps < 2 || replay.steps > MOST || !draw();
      if (place.hidden) return;
      const entry = history.at(replay.seqOf(replay.step));
      const [x, y] = at(replay.step, entry?.score ?? 0);
      cursor.replaceChildren(shape("path", { d: `M${x} ${TOP}V${BOTTOM}` }));
      if (entry && entry.score !== null)
        cursor.append(shape("rect", { x: x - 3, y: y - 3, width: 6, height: 6 }));
    },
  };
}
