import "./words.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { cardName, cardSign, pileLabel } from "../../frontend/static/js/names.js";
import { ending, inShort, refusedCards, told } from "../../frontend/static/js/sentences.js";
import { AFTER, DEAL, SEVEN, TEN, update } from "./games.js";

test("every card has a name", () => {
  const names = new Set();
  for (const suit of "SHDC") for (const rank of "A23456789TJQK") names.add(cardName(rank + suit));
  assert.equal(names.size, 52);
  assert.equal(cardName("KH"), "king of hearts");
  assert.equal(cardSign("TD"), "10♦");
  assert.equal(cardName("##"), "face-down card");
});

test("piles are named with what they hold", () => {
  assert.equal(pileLabel(TEN[3], 1), "column 4, 1 card");
  assert.equal(pileLabel(TEN[3], 0), "column 4, empty");
});

test("moves are told in words", () => {
  assert.equal(told(TEN, update(1, AFTER), DEAL), "five of diamonds to column 7, onto six of diamonds.");
  const run = [["move", "t1", "t2", 3]];
  assert.equal(
    told(TEN, update(1, "t1/t2 8S 7S 6S 5S", "t1x3-t2", run), "t1 7S 6S 5S/t2 8S"),
    "seven of spades and 2 cards to column 2, onto eight of spades.",
  );
  const drawn = [
    ["move", "s", "w", 1],
    ["turn", "w", "8C"],
  ];
  assert.equal(told(SEVEN, update(1, "s/w 8C", "draw", drawn), "s ##/w"), "Drawn: eight of clubs.");
});

test("a removed run is told in one sentence", () => {
  const run = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS";
  const effects = [
    ["move", "t2", "t1", 1],
    ["move", "t1", "f1", 13],
  ];
  const text = told(TEN, update(1, `t1/t2/f1 ${run}`, "t2-t1", effects), `t1 ${run.slice(0, -3)}/t2 AS/f1`);
  assert.match(text, /A full run is removed, king of spades to ace\.$/);
});

test("R4: a refusal names its cards and its column", () => {
  assert.deepEqual(refusedCards(TEN, "t1-t2", DEAL), { pile: "t2", detail: "4♣ onto 9♥" });
  assert.deepEqual(refusedCards(TEN, "undo", DEAL), { pile: "", detail: "" });
});

test("a step is named in a few words, without its notation", () => {
  const run = "KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S AS";
  const left = [
    ["move", "t2", "t1", 2],
    ["move", "t1", "f1", 13],
  ];
  /** @type {[string, any[], string, string][]} */
  const steps = [
    ["t4-t7", [["move", "t4", "t7", 1]], "t7 6D 5H", "5♥ to column 7"],
    ["t1x3-t2", [["move", "t1", "t2", 3]], "t2 8S 7S 6S 5S", "7♠–5♠ to column 2"],
    ["t2x2-t1", left, `t1/t2/f1 ${run}`, "2♠–A♠ to column 1"],
    ["draw", [["move", "s", "w", 1]], "w 8C", "draw"],
    ["draw", [["recycle", "w", "s"]], "s ##", "turn the waste over"],
    ["collect", [["move", "t1", "f1", 1]], "f1 AH", "autoplay"],
  ];
  for (const [command, effects, position, text] of steps)
    assert.equal(inShort(TEN, update(1, position, command, effects)), text);
});

test("the end has one sentence", () => {
  assert.equal(ending("won", 49), "Won in 49 moves.");
  assert.equal(ending("won", 1), "Won in 1 move.");
});
