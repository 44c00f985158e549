import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const root = new URL("../../", import.meta.url);
const sprite = readFileSync(new URL("frontend/static/cards/cards.svg", root), "utf8");

test("the sprite is what its program draws", () => {
  const drawn = execFileSync("python3", [new URL("frontend/cards.py", root).pathname], { encoding: "utf8" });
  assert.equal(drawn, sprite);
});

test("every card has each of its faces once, and nothing comes from elsewhere", () => {
  for (const kind of ["full", "small", "strip", "mini"]) {
    for (const suit of "SHDC") {
      for (const rank of "A23456789TJQK") {
        assert.equal(sprite.split(`id="${kind}-${rank}${suit}"`).length, 2, `${kind}-${rank}${suit}`);
      }
    }
  }
  assert.equal(sprite.match(/href="(?!#)/), null);
});
