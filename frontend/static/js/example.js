/**
 * A worked example on a page of rules: a table to step through, all its moves brought by the page.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {import("./protocol.js").State} Standing
 * @typedef {import("./protocol.js").Change} Change
 */

import { readPosition } from "./board.js";
import { byId, make, setText } from "./dom.js";
import { createHistory } from "./history.js";
import { measure } from "./layout.js";
import { renderer, STRIP } from "./render.js";
import { createReplay } from "./replay.js";
import { told } from "./sentences.js";
import { createStanding } from "./standing.js";
import { createTransport } from "./transport.js";
import { runOf } from "./view.js";

/** @type {{layout: PileInfo[], start: Standing, updates: Change[]}} */
const { layout, start, updates } = JSON.parse(byId("example-boot").textContent ?? "");
const [table, said] = [byId("example-table"), byId("example-said")];
const cloth = /** @type {HTMLElement} */ (table.parentElement);
const { cards = "", icons = "" } = byId("example").dataset;
const phone = matchMedia("(max-width: 820px)");
const EDGE = 20;
const NOTHING = { takes: new Set(), hot: null, picked: null, held: null, playable: false, home: false };

const history = createHistory(() => Promise.reject(new Error("an example is all there")), redraw);
history.begin(start);
history.add(updates);
history.reach(updates.at(-1) ?? start);
const replay = createReplay(history, redraw);
const view = renderer(table, layout, cards, room);
const standing = createStanding(byId("example-standing"));
// Nothing is taken back here, and one pace is enough: these two are made and not shown.
const unused = { speeds: make("div"), list: make("div") };
const transport = createTransport(icons, replay, history, {
  slider: byId("example-slider"),
  steps: byId("example-steps"),
  ...unused,
});
let frame = 0;
let drawn = -1;
let fitted = 0;

/** The room that cards are measured for; the cloth is cut shorter, see `fit`. */
function room() {
  const mode = /** @type {import("./layout.js").Mode} */ (phone.matches ? "phone" : "wide");
  const width = cloth.clientWidth;
  return { width, height: width * (phone.matches ? 1.25 : 0.8), mode };
}

/** The cloth is as high as the longest of all positions needs. */
function fit() {
  if (cloth.clientWidth === fitted) return;
  fitted = cloth.clientWidth;
  const reaches = [start, ...updates].flatMap(({ position }) => {
    const { spots } = measure(layout, readPosition(position), { ...room(), strip: STRIP });
    return [...spots.values()].map((spot) => spot.reach);
  });
  cloth.style.blockSize = `${Math.max(...reaches) + EDGE}px`;
  redraw();
}

function redraw() {
  if (frame === 0) frame = requestAnimationFrame(paint);
}

function paint() {
  frame = 0;
  const seq = replay.place ?? 0;
  const entry = history.at(seq);
  if (!entry) return;
  const effects = seq === drawn + 1 ? entry.effects : [];
  view.render({ ...NOTHING, position: entry.position, effects, still: drawn < 0, moved: runOf(entry) });
  const change = updates[seq - 1];
  if (seq !== drawn) setText(said, change ? told(layout, change, history.at(seq - 1)?.position ?? "") : "");
  drawn = seq;
  standing.show(entry, 0);
  transport.show(false);
}

new ResizeObserver(fit).observe(cloth);
void replay.go(0);
