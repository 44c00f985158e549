import "./words.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { found, stretches } from "../../frontend/static/js/found.js";
import { createHistory } from "../../frontend/static/js/history.js";
import { branch, createVariation } from "../../frontend/static/js/variation.js";
import { state } from "./games.js";

const verdict = (last_won, first_lost, more = {}) => ({
  state: "found",
  last_won,
  first_lost,
  recovered: [],
  line: [],
  ...more,
});
const ended = { ply: 40, command: (ply) => `t${ply}-t1` };
const told = (last_won, first_lost, more) => found(verdict(last_won, first_lost, more), ended, false);

test("where a game was lost is told as exactly as it is proven", () => {
  assert.equal(told(12, 13), "Lost by t13-t1 at move 13.");
  assert.equal(told(12, 16), "Lost between moves 13 and 16.");
  assert.equal(told(40, null), "Still winnable when given up.");
  assert.equal(told(null, 0), "Lost from the start: these cards could not be won.");
  assert.match(told(null, 7), /^Lost by move 7 at the latest/);
  assert.match(told(20, null), /^Winnable up to move 20;/);
  assert.match(told(null, null), /not known/);
});

test("a mistake that was taken back is told as one, also of a game that was won", () => {
  const recovered = [{ seq: 9, ply: 8, command: "t4-t7" }];
  const text = "t4-t7 at move 8 had lost it, and was taken back.";
  assert.equal(told(12, 13, { recovered }), `Lost by t13-t1 at move 13. ${text}`);
  assert.equal(found(verdict(40, null, { recovered }), ended, true), text);
  assert.equal(found(verdict(40, null), ended, true), "It could be won at every move.");
  const many = Array.from({ length: 5 }, () => recovered[0]);
  assert.match(told(40, null, { recovered: many }), /2 more were taken back\.$/);
});

test("what is not known yet, or not told yet, is said", () => {
  const texts = ["waiting", "withheld", "none"].map((name) =>
    found(verdict(null, null, { state: name }), ended, false),
  );
  assert.equal(new Set(texts).size, 3);
});

test("the bar has a stretch for what is proven either way, and one for what is not", () => {
  const kinds = (...of) => stretches(verdict(...of), 40).map(({ kind, from, to }) => [kind, from, to]);
  assert.deepEqual(kinds(20, 21), [
    ["won", 0, 0.5],
    ["lost", 0.5, 1],
  ]);
  assert.deepEqual(kinds(10, 31), [
    ["won", 0, 0.25],
    ["unknown", 0.25, 0.75],
    ["lost", 0.75, 1],
  ]);
  assert.deepEqual(kinds(40, null), [["won", 0, 1]]);
  assert.deepEqual(kinds(null, 0), [["lost", 0, 1]]);
  assert.deepEqual(kinds(null, null), [["unknown", 0, 1]]);
  assert.deepEqual(stretches(verdict(0, null), 0), [{ kind: "won", from: 0, to: 1 }]);
});

test("another line leaves the game where it says, and the game is as it was afterwards", async () => {
  const at = (seq, ply, command) => ({ ...state(seq), ply, position: `after ${seq}`, command, effects: [] });
  const own = createHistory(
    async () => ({ updates: [], next: null }),
    () => undefined,
  );
  own.begin({ position: "start", score: 500 });
  own.add([at(1, 1, "a"), at(2, 2, "b"), at(3, 1, "undo"), at(4, 2, "c"), at(5, 3, "d")]);
  own.reach({ ...state(5), ply: 3, status: "playing" });
  const history = createVariation(own);
  assert.equal(history.head.ply, 3);
  history.vary(branch(own, 2, [{ ...at(6, 3, "e"), position: "won" }]));
  assert.ok(history.isVaried && history.straight);
  assert.deepEqual(
    [0, 1, 2, 3].map((seq) => history.at(seq)?.position),
    ["start", "after 1", "after 4", "won"],
  );
  await history.need(0, 3);
  history.vary(null);
  assert.equal(history.at(3)?.command, "undo");
  assert.deepEqual(history.line, [0, 1, 4, 5]);
});
