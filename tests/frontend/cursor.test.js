import assert from "node:assert/strict";
import { test } from "node:test";
import { readPosition } from "../../frontend/static/js/board.js";
import { clamp, go } from "../../frontend/static/js/cursor.js";
import { measure } from "../../frontend/static/js/layout.js";
import { DEAL, SEVEN, TEN } from "./games.js";

const ROOM = { width: 1440, height: 784, mode: "wide", strip: 54 };
const ten = measure(TEN, readPosition(DEAL), ROOM);
const seven = measure(
  SEVEN,
  readPosition("s ## ##/w 8C 9C/f1/f2/f3/f4 AS/t1 7H/t2 ## 6S/t3/t4/t5/t6/t7"),
  ROOM,
);

test("arrows walk along a column and from column to column", () => {
  assert.deepEqual(go(ten, { pile: "t1", index: 7 }, "ArrowUp"), { pile: "t1", index: 6 });
  assert.deepEqual(go(ten, { pile: "t1", index: 7 }, "ArrowRight"), { pile: "t2", index: 7 });
  assert.deepEqual(go(ten, { pile: "t9", index: 1 }, "ArrowRight"), { pile: "t10", index: 0 });
  assert.deepEqual(go(ten, { pile: "t1", index: 7 }, "ArrowLeft"), { pile: "t1", index: 7 });
});

test("an empty column is a place to be", () => {
  assert.deepEqual(go(seven, { pile: "t2", index: 1 }, "ArrowRight"), { pile: "t3", index: -1 });
});

test("the row above is one arrow away, and a heap is its last card", () => {
  assert.deepEqual(go(seven, { pile: "t2", index: 0 }, "ArrowUp"), { pile: "w", index: 1 });
  assert.deepEqual(go(seven, { pile: "w", index: 1 }, "ArrowDown"), { pile: "t2", index: 0 });
  assert.deepEqual(clamp(seven, { pile: "s", index: 0 }), { pile: "s", index: 1 });
});
