import assert from "node:assert/strict";
import { test } from "node:test";
import { readPosition } from "../../frontend/static/js/board.js";
import { dropTarget } from "../../frontend/static/js/drop.js";
import { HIGH, measure } from "../../frontend/static/js/layout.js";
import { berth } from "../../frontend/static/js/slip.js";
import { DEAL, SEVEN, TEN } from "./games.js";

const LONG = readPosition(`t1 JS/t2 ${"QH ".repeat(20).trim()}/t3 5H/t4/t5/t6/t7/t8/t9/t10 8H/f1/f2/f3/f4`);
const WIDE = { width: 1440, height: 784, mode: "wide", strip: 54 };
const ROOMS = [
  WIDE,
  { width: 1070, height: 748, mode: "wide", strip: 54 },
  { width: 3840, height: 1900, mode: "wide", strip: 54 },
  { width: 900, height: 420, mode: "wide", strip: 54 },
  { width: 360, height: 528, mode: "phone", strip: 54 },
  { width: 320, height: 380, mode: "phone", strip: 54 },
  { width: 532, height: 360, mode: "rails", strip: 54 },
  { width: 408, height: 320, mode: "rails", strip: 54 },
];

for (const room of ROOMS) {
  const name = `${room.width} x ${room.height} ${room.mode}`;

  test(`twenty cards fit, the last one whole: ${name}`, () => {
    const { spots, w, h } = measure(TEN, LONG, room);
    const { cards, reach } = spots.get("t2");
    assert.equal(cards.length, 20);
    assert.ok(reach <= room.height, `${reach} of ${room.height}`);
    assert.ok(cards[1].y - cards[0].y >= 0.25 * w);
    assert.ok(Math.abs(h - HIGH * w) < 0.01);
  });

  test(`B20: columns stand from the left to the right, in the room and apart: ${name}`, () => {
    for (const layout of [TEN, SEVEN]) {
      const { spots, w } = measure(layout, LONG, room);
      const columns = layout
        .filter((pile) => pile.role === "column")
        .map((pile) => spots.get(pile.name).slot.x);
      for (let i = 1; i < columns.length; i += 1) assert.ok(columns[i] >= columns[i - 1] + w, name);
      for (const { slot } of spots.values()) {
        assert.ok(slot.x >= 0 && slot.x + slot.w <= room.width + 0.5, name);
        assert.ok(slot.y >= 0 && slot.y + slot.h <= room.height + 0.5, name);
      }
    }
  });

  test(`no place lies on another: ${name}`, () => {
    for (const layout of [TEN, SEVEN]) {
      const boxes = [...measure(layout, new Map(), room).spots.values()].map(({ slot }) => slot);
      boxes.forEach((a, i) => {
        for (const b of boxes.slice(i + 1)) {
          const apart = a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;
          assert.ok(apart, `${JSON.stringify(a)} ${JSON.stringify(b)}`);
        }
      });
    }
  });
}

test("a long column is closer for itself alone", () => {
  const { spots } = measure(TEN, LONG.set("t1", ["JS", "TS"]), WIDE);
  const step = (pile) => spots.get(pile).cards[1].y - spots.get(pile).cards[0].y;
  assert.ok(step("t2") < step("t1"));
});

test("cards keep their size from move to move", () => {
  const before = measure(TEN, readPosition(DEAL), WIDE).w;
  assert.equal(measure(TEN, LONG, WIDE).w, before);
});

test("the faces follow the width", () => {
  assert.equal(measure(TEN, LONG, WIDE).small, false);
  assert.equal(measure(TEN, LONG, ROOMS[4]).small, true);
});

test("a drop anywhere on a column means it, and the nearest that would take the run", () => {
  const geometry = measure(TEN, readPosition(DEAL), WIDE);
  const { w, h } = geometry;
  const at = (pile, dx = 0, dy = 300) => {
    const { x, y } = geometry.spots.get(pile).slot;
    return [
      { x: x + dx, y: y + dy, w, h },
      { x: x + dx + w / 2, y: y + dy + 10 },
    ];
  };
  const legal = new Set(["t7"]);
  assert.equal(dropTarget(geometry, ...at("t7"), "t10", legal), "t7");
  assert.equal(dropTarget(geometry, ...at("t7", 0.45 * w), "t10", legal), "t7");
  assert.equal(dropTarget(geometry, ...at("t3"), "t10", legal), "t3");
  assert.equal(dropTarget(geometry, ...at("t10", -5), "t10", legal), null);
  assert.equal(dropTarget(geometry, { x: 5000, y: 0, w, h }, { x: 5000, y: 0 }, "t10", legal), null);
});

test("the slip covers no card where there is room", () => {
  const geometry = measure(TEN, readPosition(DEAL), WIDE);
  const size = { width: 320, height: 64 };
  const { left, top } = berth(geometry, WIDE, size, geometry.spots.get("t1").slot.x);
  for (const { slot, reach } of geometry.spots.values()) {
    const beside = slot.x >= left + size.width || slot.x + slot.w <= left;
    assert.ok(beside || reach <= top);
  }
  assert.ok(left >= 0 && top + size.height <= WIDE.height);
});
