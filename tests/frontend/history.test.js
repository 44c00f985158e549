import assert from "node:assert/strict";
import { test } from "node:test";
import { createHistory } from "../../frontend/static/js/history.js";
import { createReplay } from "../../frontend/static/js/replay.js";
import { update } from "./games.js";

const PAGE = 200;

/** A log of so many events; `undone` names those that are undos. */
function log(size, undone = () => false) {
  const updates = [];
  let ply = 0;
  for (let seq = 1; seq <= size; seq += 1) {
    const undo = ply > 0 && undone(seq);
    ply += undo ? -1 : 1;
    updates.push(update(seq, `t1 AS/t2 ${seq}`, undo ? "undo" : "t1-t2", [["move", "t1", "t2", 1]], { ply }));
  }
  return updates;
}

function open(updates) {
  const asked = [];
  const history = createHistory(
    async (since) => {
      asked.push(since);
      const page = updates.slice(since, since + PAGE);
      return { updates: page, next: since + PAGE < updates.length ? page.at(-1).seq : null };
    },
    () => {},
  );
  history.begin({ position: "t1/t2", score: 500 });
  history.reach(updates.at(-1));
  return { history, replay: createReplay(history, () => {}), asked };
}

test("in a long game only the pages that are looked at are fetched", async () => {
  const { replay, history, asked } = open(log(20_000));
  await replay.go(12_345);
  assert.equal(history.at(replay.place).seq, 12_345);
  assert.ok(asked.length <= 2, `${asked.length} pages`);
});

test("quick presses are as many steps, though the page of the first is still under way", async () => {
  const { replay, asked } = open(log(20_000));
  await replay.go(9_000);
  const before = asked.length;
  await Promise.all(Array.from({ length: 300 }, () => replay.by(-1)));
  assert.ok(asked.length > before, "some of these steps had to be fetched");
  assert.equal(replay.step, 8_700);
  replay.live();
  await replay.by(-1);
  assert.equal(replay.step, 19_999);
});

test("a ply of the address is found behind undone steps", async () => {
  const updates = log(1000, (seq) => seq % 3 === 0);
  const { replay, history } = open(updates);
  const ply = Math.floor(updates.at(-1).ply / 2);
  await replay.find(ply);
  const place = history.at(replay.place);
  assert.equal(place.ply, ply);
  assert.ok(updates.slice(place.seq).every((later) => later.ply >= ply));
});

test("a place of the address is asked for until it comes; a game that is over shows its start meanwhile", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const updates = log(60, (seq) => seq % 4 === 0);
  let failures = 2;
  const history = createHistory(
    async () => {
      if (failures-- > 0) throw new Error("the site is busy");
      return { updates, next: null };
    },
    () => {},
  );
  history.begin({ position: "t1/t2", score: 500 });
  history.reach({ ...updates.at(-1), status: "won" });
  const replay = createReplay(history, () => {});
  const found = replay.find(5);
  assert.equal(replay.place, 0);
  while (failures >= 0) {
    await new Promise((resolve) => setImmediate(resolve));
    t.mock.timers.tick(2000);
  }
  await found;
  assert.equal(history.at(replay.place).ply, 5);
});

test("who has gone elsewhere meanwhile stays there", async () => {
  const { replay } = open(log(1000, (seq) => seq % 3 === 0));
  const found = replay.find(100);
  replay.live();
  await found;
  assert.equal(replay.place, null);
});

test("the line leaves out what was taken back, once all is known", async () => {
  const updates = log(60, (seq) => seq % 4 === 0);
  const { replay, history } = open(updates);
  assert.equal(history.line, null);
  await history.need(1, 60);
  assert.equal(history.line.length, updates.at(-1).ply + 1);
  await replay.go(3);
  assert.equal(history.at(replay.place).ply, 3);
  assert.equal(replay.steps, updates.at(-1).ply);
  replay.showUndone(true);
  assert.equal(replay.steps, 60);
});

test("B50: nothing that happens live moves the place looked at, and an undo of it is told", async () => {
  const updates = log(10);
  const { replay, history } = open(updates);
  await replay.go(8);
  const live = (seq, ply, command) => {
    const change = update(seq, "t1/t2", command, [], { ply });
    history.add([change]);
    history.reach(change);
  };
  live(11, 11, "t1-t2");
  assert.deepEqual([replay.step, replay.behind, replay.gone], [8, 3, false]);
  for (let i = 0; i < 4; i += 1) live(12 + i, 10 - i, "undo");
  await history.need(1, 15);
  assert.equal(history.at(replay.place).seq, 8);
  assert.equal(replay.gone, true);
  replay.live();
  assert.equal(replay.place, null);
});

test("a game given up after an undo, and an undo that nothing followed, show what stands", async () => {
  const updates = log(12, (seq) => seq === 6);
  const last = updates.at(-1);
  updates.push(update(13, last.position, "give_up", [], { ply: last.ply, status: "given_up" }));
  const { replay, history } = open(updates);
  await history.need(1, 13);
  await replay.look(13);
  assert.equal(replay.gone, false);
  await replay.look(6);
  assert.equal(replay.gone, false);
  await replay.look(5);
  assert.equal(replay.gone, true);
});

test("the last of several jumps counts", async () => {
  const { replay } = open(log(5000));
  const slow = replay.go(100);
  const quick = replay.go(4000);
  await Promise.all([slow, quick]);
  assert.equal(replay.place, 4000);
});

test("games without a move, and with one", async () => {
  const none = createHistory(
    async () => ({ updates: [], next: null }),
    () => {},
  );
  none.reach(update(0, "t1"));
  assert.deepEqual(none.line, [0]);
  const { replay } = open(log(1));
  await replay.go(0);
  assert.deepEqual([replay.place, replay.steps], [0, 1]);
  await replay.by(1);
  assert.equal(replay.place, 1);
});
