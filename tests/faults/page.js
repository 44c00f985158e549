/**
 * A page without a screen: the product's own connection and table, at the other end of a pipe.
 *
 * `node page.js ADDRESS ORIGIN COOKIE COUNT PAUSE`. It plays so many commands, that many milliseconds apart,
 * and stays until its input closes. A line of JSON on its output is [kind, what]: what went over the line
 * ("opened", "sent", "got", "closed"), how the connection stands ("status"), each event that the table was
 * told of ("happened"), the newest seq at each change ("stands"), "played" after the last command, and the state in
 * the end ("shows").
 */

import { connect } from "../../frontend/static/js/socket.js";
import { createTable } from "../../frontend/static/js/table.js";

const [address = "", origin = "", cookie = "", count = "0", pause = "0"] = process.argv.slice(2);

/** @param {string} kind @param {any} what */
function tell(kind, what) {
  process.stdout.write(`${JSON.stringify([kind, what])}\n`);
}

/** Opens a socket as this page's browser would, and writes down what goes over it. @param {string} to */
function open(to) {
  const socket = new WebSocket(to, /** @type {any} */ ({ headers: { origin, cookie } }));
  socket.addEventListener("open", () => tell("opened", {}));
  socket.addEventListener("message", (event) => tell("got", JSON.parse(event.data)));
  socket.addEventListener("close", (event) => tell("closed", { code: event.code }));
  const send = socket.send.bind(socket);
  socket.send = (text) => {
    tell("sent", JSON.parse(String(text)));
    send(text);
  };
  return socket;
}

/** What the page would have been served with: how the table stands now. @returns {Promise<any>} */
function first() {
  return new Promise((resolve, reject) => {
    const socket = open(address);
    socket.onerror = reject;
    socket.onmessage = (event) => {
      socket.onerror = null;
      socket.close();
      resolve(JSON.parse(event.data));
    };
  });
}

const table = createTable(await first(), Date.now, {
  changed: (state) => tell("stands", state.live.seq),
  happened: (change) => tell("happened", [change.seq, change.command]),
  refused: (state) => tell("refused", state.refusal),
});
const line = connect(
  {
    address: () => `${address}&since=${table.state.live.seq}&epoch=${table.state.epoch}`,
    onMessage: table.dispatch,
    onStatus: (status, bye) => {
      tell("status", status);
      table.dispatch({ type: "connection", status, bye });
    },
    probe: () => ({ type: "sync", since: table.state.live.seq }),
  },
  { open, setTimeout, clearTimeout, random: Math.random, now: Date.now },
);
table.attach(line);
line.start();

/** A command that is open here: a move, and now and then an undo. */
function choose() {
  const { dests, actions } = table.state.live;
  const moves = Object.entries(dests).flatMap(([from, targets]) => targets.map((to) => `${from}-${to}`));
  const undo = actions.includes("undo") && (moves.length === 0 || Math.random() < 0.25);
  return undo ? "undo" : String(moves[Math.floor(Math.random() * moves.length)]);
}

let left = Number(count);
function play() {
  if (left > 0 && !table.state.pending && table.ask(choose())) left -= 1;
  if (left > 0 || table.state.pending) setTimeout(play, Number(pause));
  else tell("played", table.state.live.seq);
}
if (left > 0) play();

process.stdin.on("end", () => {
  tell("shows", table.state.live);
  process.stdout.write("", () => process.exit());
});
process.stdin.resume();
