import assert from "node:assert/strict";
import { test } from "node:test";
import { clockText, elapsed, squeezed } from "../../frontend/static/js/clock.js";
import { createTable } from "../../frontend/static/js/table.js";
import { AFTER, state, update, welcome } from "./games.js";

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

/** A screen whose clock is `skew` ms away from the server's; its messages take `delay` ms. */
function screen(server, skew, delay, role) {
  const now = () => server.time + skew;
  const table = createTable(welcome(state(0), { role }), now, {
    changed() {},
    happened() {},
    refused() {},
  });
  return {
    shows: () => elapsed(table.state.live, table.state.heard, now()),
    hear: (message) => server.later.push([server.time + delay, () => table.dispatch(message)]),
  };
}

/** Lets time go by, and messages arrive. */
function pass(server, ms) {
  const until = server.time + ms;
  for (const [at, arrive] of server.later.sort(([a], [b]) => a - b).splice(0)) {
    server.time = Math.max(server.time, at);
    arrive();
  }
  server.time = until;
}

test("B56: screens an hour apart show the same within a second, over undo, and stop together", () => {
  const server = { time: 5_000_000, later: [] };
  const screens = [
    screen(server, 3_600_000, 40, "player"),
    screen(server, -3_600_000, 400, "spectator"),
    screen(server, 300_000, 150, "spectator"),
  ];
  const tell = (message) => {
    for (const each of screens) each.hear(message);
  };
  const agree = (ms) => {
    for (const each of screens) assert.ok(Math.abs(each.shows() - ms) < 1000, `${each.shows()} for ${ms}`);
  };
  tell(update(1, AFTER, "t10-t7", [], { elapsed_ms: 0, running: true }));
  pass(server, 600_000);
  agree(600_000);
  tell(update(2, AFTER, "undo", [], { elapsed_ms: 600_000, running: true }));
  pass(server, 7000);
  agree(607_000);
  tell(update(3, AFTER, "t10-t7", [], { elapsed_ms: 607_000, running: false, status: "won" }));
  pass(server, 3_600_000);
  assert.deepEqual(
    screens.map((each) => each.shows()),
    [607_000, 607_000, 607_000],
  );
});
