import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createTable } from "../../frontend/static/js/table.js";
import { AFTER, DEAL, state, update, welcome } from "./games.js";

function table(role = "player") {
  const sent = [];
  const happened = [];
  const refused = [];
  const it = createTable(welcome(state(0), { role }), () => 0, {
    changed() {},
    happened: (change, before, own) => happened.push([change.command, before, own]),
    refused: (now) => refused.push(now.refusal.code),
  });
  it.attach({ send: (message) => sent.push(message) > 0, restart: () => sent.push("restart") });
  return { it, sent, happened, refused };
}

const plays = (sent) => sent.filter((message) => message.type === "play");

test("a move is sent once, with the seq last seen and an id of its own", () => {
  const { it, sent } = table();
  it.ask("t10-t7");
  assert.equal(plays(sent).length, 1);
  const [{ id, seq, command }] = plays(sent);
  assert.deepEqual([seq, command], [0, "t10-t7"]);
  assert.match(id, /^[!-~]{1,64}$/);
});

test("B60: an unanswered command is sent again with the same id after the connection is back", () => {
  const { it, sent } = table();
  it.ask("t10-t7");
  it.dispatch(welcome(null, { updates: [] }));
  assert.equal(plays(sent).length, 2);
  assert.equal(plays(sent)[0].id, plays(sent)[1].id);
  it.dispatch({ type: "accepted", id: plays(sent)[0].id, seq: 1, repeated: true });
  it.dispatch(welcome(null, { updates: [update(1, AFTER)] }));
  assert.equal(plays(sent).length, 2);
  assert.equal(it.state.pending, null);
});

test("a second command waits for the first and then takes the new seq; a third is not taken", () => {
  const { it, sent } = table();
  assert.ok(it.ask("t10-t7"));
  assert.ok(it.ask("undo"));
  assert.ok(!it.ask("undo"));
  it.dispatch({ type: "accepted", id: plays(sent)[0].id, seq: 1, repeated: false });
  assert.equal(plays(sent).length, 1);
  it.dispatch(update(1, AFTER));
  assert.deepEqual([plays(sent)[1].command, plays(sent)[1].seq], ["undo", 1]);
});

test("a gap is asked about after 300 ms, once, and not if it has closed by itself", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { it, sent } = table("spectator");
  it.dispatch(update(2, AFTER));
  it.dispatch(update(3, AFTER));
  mock.timers.tick(299);
  assert.deepEqual(sent, []);
  mock.timers.tick(1);
  assert.deepEqual(sent, [{ type: "sync", since: 0 }]);
  it.dispatch({ type: "snapshot", ...state(3, AFTER) });
  it.dispatch(update(5, AFTER));
  it.dispatch(update(4, AFTER));
  it.dispatch(update(5, AFTER));
  mock.timers.tick(5000);
  assert.equal(sent.length, 1);
  mock.timers.reset();
});

test("stale: the truth is asked for at once and the refusal is told", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { it, sent, refused } = table();
  it.ask("t10-t7");
  it.dispatch({
    type: "refused",
    id: plays(sent)[0].id,
    code: "stale",
    text: "Changed.",
    seq: 2,
    retry_ms: null,
  });
  mock.timers.tick(0);
  assert.deepEqual(sent.at(-1), { type: "sync", since: 0 });
  assert.deepEqual(refused, ["stale"]);
  mock.timers.reset();
});

test("another epoch starts over", () => {
  const { it, sent } = table();
  it.dispatch({ type: "beat", seq: 0, epoch: 2, time: 0 });
  assert.deepEqual(sent, ["restart"]);
});

test("B50: every event is told in order with the position before it", () => {
  const { it, happened } = table("spectator");
  it.dispatch(welcome(null, { role: "spectator", updates: [update(1, AFTER), update(2, DEAL, "undo", [])] }));
  assert.deepEqual(
    happened.map(([command, before]) => [command, before]),
    [
      ["t10-t7", DEAL],
      ["undo", AFTER],
    ],
  );
});

test("a spectator plays nothing, and nobody after the end", () => {
  assert.equal(table("spectator").it.ask("t10-t7"), false);
  const { it, sent } = table();
  it.dispatch(update(1, AFTER, "give_up", [], { status: "given_up" }));
  assert.equal(it.ask("undo"), false);
  assert.deepEqual(sent, []);
});

test("B56: what the clock shows is asked for after a welcome that tells of the past, while it goes", () => {
  const { it, sent } = table("spectator");
  it.dispatch(welcome(null, { role: "spectator", updates: [] }));
  assert.deepEqual(sent, []);
  it.dispatch(welcome(null, { role: "spectator", updates: [update(1, AFTER)] }));
  assert.deepEqual(sent, [{ type: "sync", since: 1 }]);
  it.dispatch({ type: "snapshot", ...state(1, AFTER, { elapsed_ms: 90_000 }) });
  assert.equal(it.state.live.elapsed_ms, 90_000);
  it.dispatch(update(2, DEAL));
  assert.equal(sent.length, 1);
  it.dispatch(welcome(null, { role: "spectator", updates: [] }));
  assert.deepEqual(sent.at(-1), { type: "sync", since: 2 });
});

test("B56: the same after a gap was filled", () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { it, sent } = table("spectator");
  it.dispatch(update(2, DEAL));
  mock.timers.tick(300);
  assert.deepEqual(sent, [{ type: "sync", since: 0 }]);
  it.dispatch(update(1, AFTER));
  assert.equal(sent.length, 1);
  it.dispatch(update(2, DEAL));
  assert.deepEqual(sent.at(-1), { type: "sync", since: 2 });
  mock.timers.reset();
});
