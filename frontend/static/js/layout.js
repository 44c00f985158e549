/**
 * Where everything lies on the felt, in pixels, from the layout, the cards and the room alone.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {"wide" | "phone" | "rails"} Mode
 * @typedef {{x: number, y: number}} Point
 * @typedef {{x: number, y: number, w: number, h: number}} Box
 * @typedef {{slot: Box, cards: Point[], scale: number, zone: Box, reach: number}} Spot
 *   `zone` is where a drop means this pile, `reach` the lower edge of its last card
 * @typedef {{w: number, h: number, small: boolean, spots: Map<string, Spot>}} Geometry
 * @typedef {{width: number, height: number, mode: Mode, strip: number}} Room
 *   `strip` is the height kept free above the cards on a phone
 */

import { isDown } from "./board.js";

export const HIGH = 1.4;
const SMALL_BELOW = 64;
const DOWN_STEP = 0.16;
const SIDE = 0.72;
const SIDE_GAP = 0.3;
const STRIP_CARD = 44;
const FULL = { ideal: 0.38, least: 0.26 };
const SMALL = { ideal: 0.72, least: 0.46 };

/** @param {PileInfo[]} layout */
function sorted(layout) {
  const columns = layout.filter((pile) => pile.role === "column");
  const last = Math.max(...columns.map((pile) => pile.column));
  const rest = layout.filter((pile) => pile.role !== "column");
  return {
    columns,
    /** beside the columns: places for what has left the game */
    side: rest.filter((pile) => pile.column > last),
    /** in the row above them */
    top: rest.filter((pile) => pile.column <= last),
    count: Math.max(...layout.filter((pile) => pile.column <= last).map((pile) => pile.column)) + 1,
  };
}

/** The longest column in face-down cards and, in wide steps so that cards seldom change size, face-up ones.
 * @param {string[][]} columns @param {number} step @param {number} w */
function longest(columns, step, w) {
  let [downs, ups, most] = [0, 12, 0];
  for (const cards of columns) {
    const hidden = cards.filter(isDown).length;
    const shown = cards.length - hidden;
    const length = hidden * DOWN_STEP + shown * step;
    if (length * w > most) [downs, ups, most] = [hidden, shown, length * w];
  }
  return { downs, ups: [12, 16, 20].find((size) => ups <= size) ?? ups };
}

/**
 * @param {PileInfo[]} layout @param {Map<string, string[]>} piles @param {Room} room
 * @returns {Geometry}
 */
export function measure(layout, piles, room) {
  const { columns, side, top, count } = sorted(layout);
  const cards = columns.map((pile) => piles.get(pile.name) ?? []);
  const [wide, rails] = [room.mode === "wide", room.mode === "rails"];
  const many = count > 8;
  const gap = wide ? (many ? 0.13 : 0.22) : many ? 0.06 : 0.11;
  const pad = wide ? 24 : 6;
  const rowGap = wide ? 0.24 : 0.14;
  const above = top.length > 0 && !rails;
  const edges = (top.length ? 2 : 0) + (side.length ? 1 : 0);
  const beside = rails ? edges * (1 + 2 * gap) : wide && side.length ? SIDE + SIDE_GAP : 0;
  const across = count + (count - 1) * gap + beside;
  const strip = room.mode === "phone" ? room.strip : 0;
  const free = room.height - 2 * pad - strip;

  let w = (room.width - 2 * pad) / across;
  if (wide) w = Math.min(w, room.height / (top.length ? 6.7 : 7));
  const small = !wide || w < SMALL_BELOW;
  const { ideal, least } = small ? SMALL : FULL;
  const { downs, ups } = longest(cards, least, w);
  const rows = above ? HIGH + rowGap : 0;
  w = Math.max(8, Math.min(w, free / (rows + HIGH + DOWN_STEP * downs + least * (ups - 1))));
  if (w > 24) w = Math.floor(w);

  const h = HIGH * w;
  const pitch = (1 + gap) * w;
  const used = across * w;
  // With nothing beside them on a phone the columns may use the last pixels between them.
  const spread = wide
    ? pitch
    : Math.max(pitch, Math.min(pitch * 1.08, (room.width - 2 * pad - w) / Math.max(1, count - 1)));
  const total = rails || wide ? used : w + spread * (count - 1);
  const left =
    Math.max(0, (room.width - total) / 2) +
    (rails && beside ? (side.length || top.length ? (1 + 2 * gap) * w : 0) : 0);
  const step = rails || wide ? pitch : spread;
  const first = pad + strip;
  const columnTop = first + (above ? rows * w : 0);
  const bottom = room.height - pad;

  /** @type {Map<string, Spot>} */
  const spots = new Map();
  /** @param {PileInfo} pile @param {number} x @param {number} y @param {number} scale */
  const place = (pile, x, y, scale) => {
    const own = piles.get(pile.name) ?? [];
    const size = { w: w * scale, h: h * scale };
    const points = fan(own, pile.fan, { x, y }, w * scale, ideal, bottom - y);
    const end = points.at(-1) ?? { x, y };
    const reach = end.y + size.h;
    const isColumn = pile.role === "column";
    spots.set(pile.name, {
      slot: { x, y, ...size },
      cards: points,
      scale,
      zone: { x, y, w: size.w, h: Math.max(isColumn ? bottom - y : 0, reach - y) },
      reach,
    });
  };

  for (const pile of columns) place(pile, left + pile.column * step, columnTop, 1);
  if (rails) {
    const right = room.width - Math.max(pad, (room.width - total) / 2) - w;
    const edge = Math.max(pad, (room.width - total) / 2);
    stack([...side, ...top.filter((pile) => pile.role !== "foundation")], edge);
    stack(
      top.filter((pile) => pile.role === "foundation"),
      right,
    );
  } else {
    for (const pile of top) place(pile, left + pile.column * step, first, 1);
    const x = left + count * pitch - gap * w + SIDE_GAP * w;
    side.forEach((pile, index) => {
      if (wide) place(pile, x, first + index * (SIDE * h + 0.12 * h), SIDE);
      else place(pile, pad + index * (STRIP_CARD / HIGH + 3), 8, STRIP_CARD / h);
    });
  }
  return { w, h, small, spots };

  /** Piles one under another at an edge, as large as the height allows.
   * @param {PileInfo[]} stacked @param {number} x */
  function stack(stacked, x) {
    const each = (bottom - first) / Math.max(1, stacked.length) - 0.08 * h;
    const scale = Math.min(side.length ? 0.9 : 1, each / h);
    stacked.forEach((pile, index) => {
      place(pile, x, first + index * (scale * h + 0.08 * h), scale);
    });
  }
}

/**
 * @param {string[]} cards @param {string} direction @param {Point} at @param {number} w
 * @param {number} ideal @param {number} room
 * @returns {Point[]}
 */
function fan(cards, direction, at, w, ideal, room) {
  if (direction === "right") {
    const shown = Math.max(0, cards.length - 3);
    return cards.map((_, index) => ({ x: at.x + Math.max(0, index - shown) * 0.3 * w, y: at.y }));
  }
  if (direction !== "down") return cards.map(() => ({ ...at }));
  const downs = cards.filter(isDown).length;
  const ups = cards.length - downs;
  const up = ups > 1 ? Math.min(ideal * w, (room - HIGH * w - downs * DOWN_STEP * w) / (ups - 1)) : 0;
  let y = at.y;
  return cards.map((card) => {
    const point = { x: at.x, y };
    y += isDown(card) ? DOWN_STEP * w : up;
    return point;
  });
}
