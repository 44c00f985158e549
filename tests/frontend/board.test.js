import assert from "node:assert/strict";
import { test } from "node:test";
import {
  moved,
  readPosition,
  rewound,
  settle,
  stages,
  writePosition,
} from "../../frontend/static/js/board.js";
import { AFTER, DEAL } from "./games.js";

/** Elements numbered as they lie, and the face of each. */
function laid(position) {
  const piles = readPosition(position);
  const places = new Map();
  const faces = [];
  for (const [name, cards] of piles)
    places.set(
      name,
      cards.map((card) => faces.push(card) - 1),
    );
  return { places, faces };
}

const shown = (places, faces) =>
  [...places].map(([name, ids]) => [name, ...ids.map((id) => faces[id])].join(" ")).join("/");

test("a position is read and written", () => {
  assert.equal(writePosition(readPosition(DEAL)), DEAL);
  assert.equal(moved(DEAL, "t10", "t7", 1), AFTER);
});

test("elements go where the effects say, though faces are equal", () => {
  const { places, faces } = laid("t1 KS QS/t2 KS QS/t3/f1");
  const after = settle(places, faces, readPosition("t1 KS/t2 KS QS/t3 QS/f1"), [["move", "t1", "t3", 1]]);
  assert.deepEqual(after.get("t3"), [1]);
  assert.deepEqual(after.get("t2"), [2, 3]);
});

test("a jump keeps every element once, and those whose card has stayed", () => {
  const { places, faces } = laid(DEAL);
  const after = settle(places, faces, readPosition(AFTER), []);
  assert.equal(shown(after, faces), AFTER);
  assert.equal(new Set([...after.values()].flat()).size, 52);
  assert.deepEqual(after.get("t1"), places.get("t1"));
});

test("wrong hints do no harm", () => {
  const { places, faces } = laid(DEAL);
  const after = settle(places, faces, readPosition(AFTER), [["move", "t1", "t2", 8]]);
  assert.equal(shown(after, faces), AFTER);
});

test("a card that turns keeps its element, up and down again", () => {
  const { places, faces } = laid("s ## ##/w/t1 ## 7H");
  const drawn = settle(places, faces, readPosition("s ##/w 8C/t1 ## 7H"), [
    ["move", "s", "w", 1],
    ["turn", "w", "8C"],
  ]);
  assert.deepEqual(drawn.get("w"), [1]);
  faces[1] = "8C";
  const back = settle(drawn, faces, readPosition("s ## ##/w/t1 ## 7H"), [
    ["turn", "w", "##"],
    ["move", "w", "s", 1],
  ]);
  assert.deepEqual(back.get("s"), [0, 1]);
});

test("the position before an event follows from its effects", () => {
  assert.equal(rewound(AFTER, [["move", "t10", "t7", 1]]), DEAL);
  const turned = [
    ["move", "t1", "t2", 1],
    ["turn", "t1", "5D"],
  ];
  assert.equal(rewound("t1 5D/t2 8C 7H", turned), "t1 ## 7H/t2 8C");
  assert.equal(rewound("s ## ##/w", [["recycle", "w", "s"]]).split("/")[0], "s");
});

test("an event of several moves has its stages", () => {
  const effects = [
    ["move", "t1", "t2", 1],
    ["turn", "t1", "5D"],
    ["move", "t2", "f1", 2],
  ];
  assert.deepEqual(stages("t1 ## QS/t2 KS/f1", effects), ["t1 5D/t2 KS QS/f1"]);
  assert.deepEqual(stages("t1 KS/t2/f1", [["move", "t1", "t2", 1]]), []);
});
