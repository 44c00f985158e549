import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../../frontend/static/js/socket.js";

/** A world with a clock of its own and sockets that do what they are told. */
function world() {
  let time = 0;
  let timers = [];
  const sockets = [];
  const told = [];
  const heard = [];
  const socket = connect(
    {
      address: () => `ws://here/?n=${sockets.length}`,
      onMessage: (message) => heard.push(message),
      onStatus: (status, bye) => told.push(bye ? `${status} ${bye.code}` : status),
      probe: () => ({ type: "sync", since: 0 }),
    },
    {
      open(address) {
        const made = {
          address,
          readyState: 0,
          sent: [],
          closed: false,
          send: (text) => made.sent.push(JSON.parse(text)),
        };
        made.close = () => {
          made.closed = true;
        };
        sockets.push(made);
        return made;
      },
      setTimeout(act, ms) {
        const timer = { act, at: time + ms };
        timers.push(timer);
        return timer;
      },
      clearTimeout(timer) {
        timers = timers.filter((one) => one !== timer);
      },
      random: () => 0.5,
      now: () => time,
    },
  );
  return {
    socket,
    sockets,
    told,
    heard,
    get open() {
      return sockets.filter((one) => !one.closed && one.onmessage);
    },
    last: () => sockets.at(-1),
    say(message) {
      const one = sockets.at(-1);
      one.readyState = 1;
      one.onmessage({ data: JSON.stringify(message) });
    },
    close(code) {
      sockets.at(-1).onclose?.({ code });
    },
    pass(ms) {
      const until = time + ms;
      for (;;) {
        const next = timers.filter((one) => one.at <= until).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        timers = timers.filter((one) => one !== next);
        time = next.at;
        next.act();
      }
      time = until;
    },
    /** Time that goes by without the page: no timer fires. */
    sleep(ms) {
      time += ms;
    },
  };
}

const WELCOME = { type: "welcome" };

test("it counts as open with the welcome, and only then sends", () => {
  const it = world();
  it.socket.start();
  assert.equal(it.socket.send({ type: "sync", since: 0 }), false);
  it.say(WELCOME);
  assert.equal(it.socket.send({ type: "sync", since: 0 }), true);
  assert.deepEqual(it.told, ["connecting", "open"]);
});

test("the first return is at once, the next ones later and later", () => {
  const it = world();
  it.socket.start();
  it.close(1006);
  it.pass(0);
  assert.equal(it.sockets.length, 2);
  const waits = [];
  for (let i = 0; i < 8; i += 1) {
    it.close(1006);
    const before = it.sockets.length;
    let waited = 0;
    while (it.sockets.length === before) {
      it.pass(50);
      waited += 50;
    }
    waits.push(waited);
  }
  assert.ok(waits[1] > waits[0] && waits[3] > waits[2]);
  assert.ok(Math.max(...waits) <= 20_000);
});

test("after five good seconds the delays begin anew", () => {
  const it = world();
  it.socket.start();
  for (let i = 0; i < 5; i += 1) {
    it.close(1006);
    it.pass(14_000);
  }
  it.say(WELCOME);
  it.pass(5_000);
  const before = it.sockets.length;
  it.close(1006);
  it.pass(0);
  assert.equal(it.sockets.length, before + 1);
});

test("a silence of 15 s is a loss", () => {
  const it = world();
  it.socket.start();
  it.say(WELCOME);
  it.pass(14_000);
  it.say({ type: "beat", seq: 0, epoch: 1, time: 0 });
  it.pass(14_000);
  assert.equal(it.sockets.length, 1);
  it.pass(2_000);
  assert.equal(it.sockets.length, 2);
  assert.ok(it.sockets[0].closed);
});

test("B60: a woken page has its answer or a new connection within two seconds, and never two", () => {
  const it = world();
  it.socket.start();
  it.say(WELCOME);
  it.sleep(10_000);
  it.socket.wake();
  assert.deepEqual(it.last().sent, [{ type: "sync", since: 0 }]);
  it.pass(2_000);
  assert.equal(it.sockets.length, 2);
  assert.equal(it.open.length, 1);
  it.say(WELCOME);
  it.sleep(120_000);
  it.socket.wake();
  it.pass(0);
  assert.equal(it.sockets.length, 3);
  assert.equal(it.open.length, 1);
});

test("B60: an old page that comes back from the history opens again", () => {
  const it = world();
  it.socket.start();
  it.say(WELCOME);
  it.socket.pause();
  assert.equal(it.open.length, 0);
  it.socket.wake();
  assert.equal(it.open.length, 1);
});

test("B53: nothing that an old connection still says is heard", () => {
  const it = world();
  it.socket.start();
  it.say(WELCOME);
  const [old] = it.sockets;
  const late = old.onmessage;
  it.socket.restart();
  it.say(WELCOME);
  const before = it.heard.length;
  late({ data: '{"type":"update"}' });
  assert.equal(old.onmessage, null);
  assert.equal(it.heard.length, before);
});

test("waking while a return is planned opens once", () => {
  const it = world();
  it.socket.start();
  it.close(1006);
  it.pass(0);
  it.close(1006);
  it.socket.wake();
  it.socket.wake();
  it.pass(60_000);
  assert.equal(it.open.length, 1);
});

for (const code of [4001, 4003, 4004, 4009]) {
  test(`after ${code} it stays away`, () => {
    const it = world();
    it.socket.start();
    it.say(WELCOME);
    it.say({ type: "bye", code, reason: "over", retry_ms: null });
    it.close(code);
    it.pass(100_000);
    it.socket.wake();
    assert.equal(it.sockets.length, 1);
    assert.equal(it.told.at(-1), `ended ${code}`);
  });
}

test("it waits as long as it was told to", () => {
  const it = world();
  it.socket.start();
  it.say(WELCOME);
  it.say({ type: "bye", code: 4029, reason: "many", retry_ms: 7000 });
  it.close(4029);
  it.pass(6_900);
  assert.equal(it.sockets.length, 1);
  it.pass(2_000);
  assert.equal(it.sockets.length, 2);
});

test("what is no message is passed over", () => {
  const it = world();
  it.socket.start();
  it.last().onmessage({ data: "{" });
  assert.deepEqual(it.heard, []);
});
