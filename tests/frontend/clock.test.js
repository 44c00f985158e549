import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, elapsed, squeezed } from "../../frontend/static/js/clock.js";

test("times are written short", () => {
  assert.deepEqual([0, 999, 65_000, 600_000, 3_600_000, 36_061_000].map(clockText), [
    "0:00",
    "0:00",
    "1:05",
    "10:00",
    "1:00:00",
    "10:01:01",
  ]);
});

test("the page counts on from what the server said, while the clock runs", () => {
  assert.equal(elapsed({ elapsed_ms: 1000, running: true }, 500, 2500), 3000);
  assert.equal(elapsed({ elapsed_ms: 1000, running: false }, 500, 2500), 1000);
  assert.equal(elapsed({ elapsed_ms: 1000, running: true }, 500, 400), 1000);
});

test("long waits are squeezed", () => {
  assert.equal(squeezed(800), 800);
  assert.equal(squeezed(90_000), 3000);
});
