import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readCommand,
  readSource,
  writeMove,
  writeSend,
  writeSource,
} from "../../frontend/static/js/notation.js";

test("commands are read as they are written", () => {
  assert.deepEqual(readCommand("t4x3-t7"), { kind: "move", from: "t4", count: 3, to: "t7" });
  assert.deepEqual(readCommand("w-t2"), { kind: "move", from: "w", count: 1, to: "t2" });
  assert.deepEqual(readCommand("t4x1-f1"), { kind: "move", from: "t4", count: 1, to: "f1" });
  assert.deepEqual(readCommand("send t4x3"), { kind: "send", from: "t4", count: 3 });
  for (const kind of ["draw", "collect", "undo", "give_up"]) assert.deepEqual(readCommand(kind), { kind });
});

test("what is no command is none", () => {
  for (const text of [
    "",
    "T4-T7",
    "t4x0-t7",
    "t4x03-t7",
    "t4 - t7",
    "t4-t7-t8",
    "send",
    "t4",
    "t4-",
    "redo",
  ]) {
    assert.equal(readCommand(text), null, text);
  }
});

test("writing undoes reading", () => {
  for (const pile of ["t1", "t10", "w", "c2"]) {
    for (const count of [1, 2, 13]) {
      const source = { pile, count };
      assert.deepEqual(readSource(writeSource(source)), source);
      assert.deepEqual(readCommand(writeMove(source, "t9")), { kind: "move", from: pile, count, to: "t9" });
      assert.deepEqual(readCommand(writeSend(source)), { kind: "send", from: pile, count });
    }
  }
});
