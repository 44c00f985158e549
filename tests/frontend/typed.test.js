import assert from "node:assert/strict";
import { test } from "node:test";
import "./words.js";

const { meant } = await import("../../frontend/static/js/typed.js");
const { pileText, placesText, tableText } = await import("../../frontend/static/js/reading.js");

const column = (number) => ({ name: `t${number}`, role: "column", fan: "down", suit: null });
const LAYOUT = [
  ...Array.from({ length: 10 }, (_, index) => column(index + 1)),
  { name: "s", role: "stock", fan: "none", suit: null },
  { name: "w", role: "waste", fan: "none", suit: null },
  { name: "f1", role: "foundation", fan: "none", suit: "h" },
  { name: "f2", role: "foundation", fan: "none", suit: "s" },
];
const TABLE = {
  layout: LAYOUT,
  position: "t1 KS QS JS/t2 KH/t3/t4 ## ## 5S 4H/t5/t6/t7/t8/t9/t10 9C/s ## ##/w 2S AS/f1/f2",
  dests: { t1: ["t3"], t1x2: ["t2", "t3"], t4: ["t10"], w: ["f2"] },
};
const command = (text) => meant(text, TABLE).command;

for (const [text, right] of [
  ["t4x3-t7", "t4x3-t7"],
  [" T4X3 – T7 ", "t4x3-t7"],
  ["1 2", "t1x2-t2"],
  ["1 3", "t1x2-t3"],
  ["1x1 3", "t1-t3"],
  ["٤ 0", "t4-t10"],
  ["4", "t4-t10"],
  ["w f", "w-f2"],
  ["w-f2", "w-f2"],
  ["DRAW", "draw"],
  ["undo", "undo"],
  ["collect", "collect"],
  ["send t4", "send t4"],
  ["send 1x2", "send t1x2"],
  ["2 1", "t2-t1"],
]) {
  test(`"${text}" is ${right}`, () => assert.equal(command(text), right));
}

for (const text of ["", "hello", "4 7 9", "-", "4x0 3", "send", "t4x3-t7-t8"]) {
  test(`"${text}" is told to be no move`, () => assert.match(meant(text, TABLE).problem, /no move/));
}

test("an unknown place is named, and a choice asks which", () => {
  assert.match(meant("11 2", TABLE).problem, /called 11/);
  assert.match(meant("1 c4", TABLE).problem, /called c4/);
  assert.match(meant("1", TABLE).problem, /column 1: more than one.*column 2, column 3/);
  assert.match(meant("5", TABLE).problem, /column 5: nothing/);
});

test("a pile is read from the table up, a heap by its top", () => {
  const piles = TABLE.position.split("/").map((text) => text.split(" "));
  const cards = (name) => piles.find(([pile]) => pile === name).slice(1);
  const read = (name) =>
    pileText(
      LAYOUT.find((pile) => pile.name === name),
      cards(name),
    );
  assert.equal(read("t4"), "column 4, 4 cards: 2 face down, five of spades, four of hearts.");
  assert.equal(read("t3"), "column 3, empty.");
  assert.equal(read("w"), "waste, 2 cards: ace of spades.");
  assert.equal(read("s"), "stock, 2 cards.");
});

test("the table is read by the last card of each pile", () => {
  const text = tableText(LAYOUT, TABLE.position);
  assert.match(text, /^column 1: jack of spades\. column 2: king of hearts\. column 3, empty\./);
  assert.match(text, /stock, 2 cards\. waste: ace of spades\. foundation, hearts, empty\./);
});

test("a run says where it could go", () => {
  const read = (pile, count) => placesText(LAYOUT, TABLE.position, TABLE.dests, { pile, count });
  assert.equal(read("t1", 2), "queen of spades goes to: column 2 (king of hearts), column 3, empty.");
  assert.equal(read("t2", 1), "king of hearts: no place takes it.");
});
