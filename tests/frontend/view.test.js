import assert from "node:assert/strict";
import { test } from "node:test";
import { begin, reduce } from "../../frontend/static/js/state.js";
import { frame, runOf } from "../../frontend/static/js/view.js";
import { AFTER, DEAL, state, update, welcome } from "./games.js";

const BEFORE = { position: DEAL, ahead: null, seq: 0, live: true };
const asked = (command) => reduce(begin(welcome(state(0)), 0), { type: "asked", id: "a", command }, 0);

test("a legal move is shown before its answer, and is not moved twice when it comes", () => {
  const shown = frame(asked("t10-t7"), [], null, BEFORE);
  assert.equal(shown.drawn.position, AFTER);
  assert.deepEqual(shown.effects, [["move", "t10", "t7", 1]]);
  const change = update(1, AFTER);
  const seen = reduce(asked("t10-t7"), change, 0);
  const after = frame({ ...seen, pending: null }, [change], null, shown.drawn);
  assert.deepEqual([after.effects, after.home, after.drawn.position], [[], false, AFTER]);
});

test("R4: after a refusal the cards go home", () => {
  const shown = frame(asked("t10-t7"), [], null, BEFORE);
  const refused = reduce(asked("t10-t7"), { type: "refused", id: "a", code: "unlucky", text: "", seq: 0 }, 0);
  const after = frame(refused, [], null, shown.drawn);
  assert.deepEqual([after.drawn.position, after.home], [DEAL, true]);
  assert.deepEqual(after.effects, [["move", "t7", "t10", 1]]);
});

test("what the server would refuse is not shown as if it stood", () => {
  assert.equal(frame(asked("t10-t1"), [], null, BEFORE).drawn.position, DEAL);
});

test("many events at once are a jump", () => {
  const changes = Array.from({ length: 9 }, (_, i) => update(i + 1, AFTER));
  const now = { ...begin(welcome(state(9, AFTER)), 0), news: changes };
  assert.deepEqual(frame(now, changes, null, BEFORE).effects, []);
});

test("B50: while one looks back the felt shows that step", () => {
  const entry = { seq: 4, position: "t1 AS", effects: [["move", "t1", "t2", 1]] };
  const shown = frame(begin(welcome(state(9)), 0), [update(9, AFTER)], entry, {
    ...BEFORE,
    live: false,
    seq: 3,
  });
  assert.deepEqual([shown.drawn.position, shown.effects], ["t1 AS", entry.effects]);
});

test("the run that moved last is where its first move ended, or where it left the game with the run it made", () => {
  assert.deepEqual(runOf({ effects: [["move", "t1", "t2", 3]] }), { pile: "t2", count: 3 });
  assert.deepEqual(
    runOf({
      effects: [
        ["move", "t1", "t2", 3],
        ["move", "t2", "f1", 13],
      ],
    }),
    { pile: "f1", count: 13 },
  );
  assert.equal(runOf(null), null);
});
