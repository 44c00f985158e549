import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyHand, tap } from "../../frontend/static/js/click.js";

const ABOUT = { draws: false, doubles: true, liftable: true };
const at = (pile, count, time, x = 100) => ({ pile, count, x, y: 100, time });

/** All that a row of taps comes to. */
function taps(row, about = ABOUT) {
  let hand = emptyHand();
  const meant = [];
  for (const one of row) {
    const [next, meaning] = tap(hand, one, about);
    hand = next;
    if (meaning.act !== "none") meant.push(meaning.act);
  }
  return { meant, hand };
}

test("a click picks, a click elsewhere places", () => {
  const { meant, hand } = taps([at("t1", 3, 0), at("t2", 1, 900, 300)]);
  assert.deepEqual(meant, ["pick", "move"]);
  assert.equal(hand.picked, null);
});

test("a click on an empty place is a move too, and nothing without a run in the hand", () => {
  assert.deepEqual(taps([at("t1", 1, 0), at("t4", 0, 900, 300)]).meant, ["pick", "move"]);
  assert.deepEqual(taps([at("t4", 0, 0)], { ...ABOUT, liftable: false }).meant, []);
});

for (const count of [2, 3, 4, 5]) {
  test(`B16: ${count} clicks 60 ms apart on one card are one double click`, () => {
    const { meant } = taps(Array.from({ length: count }, (_, i) => at("t1", 1, i * 60)));
    assert.deepEqual(meant, ["pick", "send"]);
  });
}

test("B16: the third click of a burst does nothing to the card that lies there now", () => {
  const { meant } = taps([at("t1", 1, 0), at("t1", 1, 60), at("t1", 2, 120), at("t1", 2, 180)]);
  assert.deepEqual(meant, ["pick", "send"]);
});

test("B16: another card may be taken right after a double click", () => {
  const { meant } = taps([at("t1", 1, 0), at("t1", 1, 60), at("t5", 1, 120, 500)]);
  assert.deepEqual(meant, ["pick", "send", "pick"]);
});

test("B16: two quick clicks on the target are one move", () => {
  assert.deepEqual(taps([at("t1", 1, 0), at("t2", 1, 900, 300), at("t2", 1, 960, 300)]).meant, [
    "pick",
    "move",
  ]);
});

test("B16: a double click on an empty column is nothing", () => {
  assert.deepEqual(taps([at("t4", 0, 0), at("t4", 0, 60)], { ...ABOUT, liftable: false }).meant, []);
});

test("a click on the picked run lets go after 300 ms", () => {
  const { meant, hand } = taps([at("t1", 1, 0), at("t1", 1, 301)]);
  assert.deepEqual(meant, ["pick", "release"]);
  assert.equal(hand.picked, null);
});

test("with double clicks switched off the second click is none, and the run stays in the hand", () => {
  const { meant, hand } = taps([at("t1", 1, 0), at("t1", 1, 100)], { ...ABOUT, doubles: false });
  assert.deepEqual(meant, ["pick"]);
  assert.deepEqual(hand.picked, { pile: "t1", count: 1 });
});

test("another card of the same column is picked instead", () => {
  assert.deepEqual(taps([at("t1", 1, 0), at("t1", 3, 900)]).hand.picked, { pile: "t1", count: 3 });
});

test("each click on the stock draws", () => {
  const draws = { ...ABOUT, draws: true, liftable: false };
  assert.deepEqual(taps([at("s", 1, 0), at("s", 1, 80), at("s", 1, 160)], draws).meant, [
    "draw",
    "draw",
    "draw",
  ]);
});

test("a click on the felt lets go", () => {
  assert.deepEqual(taps([at("t1", 1, 0), null]).meant, ["pick", "release"]);
});
