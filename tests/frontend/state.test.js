import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, isBehind, mustRetry, reduce } from "../../frontend/static/js/state.js";
import { AFTER, DEAL, state, update, welcome } from "./games.js";

const fresh = () => begin(welcome(state(0)), 0);
const feed = (start, ...messages) => messages.reduce((now, message) => reduce(now, message, 5), start);

test("a snapshot and its updates end where a fresh snapshot begins", () => {
  const played = feed(
    fresh(),
    update(1, AFTER),
    update(2, DEAL, "undo", [["move", "t7", "t10", 1]], { ply: 0 }),
  );
  const again = begin(welcome(state(2, DEAL, { ply: 0 })), 5);
  for (const name of ["seq", "ply", "position", "score", "dests", "status"]) {
    assert.deepEqual(played.live[name], again.live[name], name);
  }
});

test("an update that is not newer is passed over", () => {
  const now = feed(fresh(), update(1, AFTER));
  assert.equal(feed(now, update(1, "t1")).live, now.live);
  assert.equal(feed(now, { ...update(0, "t1") }).live, now.live);
});

test("after a gap nothing is taken until it is filled", () => {
  const gapped = feed(fresh(), update(2, AFTER));
  assert.equal(gapped.live.seq, 0);
  assert.ok(isBehind(gapped));
  const filled = feed(gapped, update(1, AFTER), update(2, AFTER));
  assert.equal(filled.live.seq, 2);
  assert.ok(!isBehind(filled));
});

test("a beat tells of what was missed", () => {
  assert.ok(isBehind(feed(fresh(), { type: "beat", seq: 3, epoch: 1, time: 0 })));
  assert.ok(!isBehind(feed(fresh(), { type: "beat", seq: 0, epoch: 1, time: 0 })));
});

test("a snapshot never goes back, but in a new epoch", () => {
  const now = feed(fresh(), update(1, AFTER), update(2, AFTER));
  assert.equal(feed(now, { type: "snapshot", ...state(1) }).live.seq, 2);
  assert.equal(feed(now, { type: "snapshot", ...state(9) }).live.seq, 9);
  const restored = feed(now, welcome(state(1), { epoch: 2 }));
  assert.deepEqual([restored.live.seq, restored.head, restored.epoch], [1, 1, 2]);
});

test("a welcome brings what was missed, or a newer release", () => {
  const back = feed(fresh(), welcome(null, { updates: [update(1, AFTER), update(2, AFTER)], release: "2" }));
  assert.equal(back.live.seq, 2);
  assert.ok(back.outdated);
});

test("what is unknown is passed over", () => {
  const start = fresh();
  assert.equal(feed(start, { type: "confetti", seq: 7 }), start);
  assert.equal(feed(start, { ...update(1, AFTER), sparkle: true }).live.seq, 1);
});

test("a command is on its way until its event has been seen", () => {
  const asked = feed(fresh(), { type: "asked", id: "a", command: "t10-t7" });
  assert.deepEqual([asked.pending.id, asked.pending.seq], ["a", 0]);
  const accepted = feed(asked, { type: "accepted", id: "a", seq: 1, repeated: false });
  assert.equal(accepted.pending.accepted, 1);
  assert.equal(feed(accepted, update(1, AFTER)).pending, null);
  assert.equal(
    feed(asked, { type: "accepted", id: "of another page", seq: 1, repeated: false }).pending.accepted,
    null,
  );
});

test("one more command waits, and no third", () => {
  const one = feed(fresh(), { type: "asked", id: "a", command: "t10-t7" });
  const two = feed(one, { type: "asked", id: "b", command: "undo" });
  assert.deepEqual([two.pending.id, two.queued], ["a", "undo"]);
  assert.equal(feed(two, { type: "asked", id: "c", command: "draw" }).queued, "undo");
});

test("R4: a refusal ends the command, drops what waited behind it and is kept to be told", () => {
  const asked = feed(
    fresh(),
    { type: "asked", id: "a", command: "t10-t1" },
    { type: "asked", id: "b", command: "undo" },
  );
  const refused = feed(asked, {
    type: "refused",
    id: "a",
    code: "wrong_rank",
    text: "No.",
    seq: 0,
    retry_ms: null,
  });
  assert.deepEqual([refused.pending, refused.queued], [null, null]);
  assert.deepEqual([refused.refusal.text, refused.refusal.command], ["No.", "t10-t1"]);
});

test("too fast is no end: the same id is tried again, but not for ever", () => {
  let now = feed(fresh(), { type: "asked", id: "a", command: "t10-t7" });
  const message = { type: "refused", id: "a", code: "too_fast", text: "Slower.", seq: 0, retry_ms: 100 };
  let tries = 0;
  for (now = feed(now, message); mustRetry(now) && tries < 10; tries += 1)
    now = feed(now, { type: "resent" }, message);
  assert.equal(tries, 4);
  assert.equal(now.pending, null);
});

test("B19: what concerns another command changes nothing here", () => {
  const asked = feed(fresh(), { type: "asked", id: "a", command: "t10-t7" });
  const other = feed(asked, { type: "refused", id: "z", code: "stale", text: "", seq: 4, retry_ms: null });
  assert.equal(other.pending.id, "a");
  assert.ok(isBehind(other));
});
