/**
 * One connection that stays: it comes back by itself, notices a silent loss, and is never two.
 *
 * @typedef {import("./state.js").Connection} Connection
 * @typedef {import("./protocol.js").Bye} Bye
 *
 * @typedef {object} Environment what the machine needs of the world, so that tests can bring their own
 * @property {(address: string) => WebSocket} open
 * @property {(act: () => void, ms: number) => any} setTimeout
 * @property {(timer: any) => void} clearTimeout
 * @property {() => number} random
 * @property {() => number} now
 *
 * @typedef {object} Options
 * @property {() => string} address made anew for each attempt, as `since` grows
 * @property {(message: any) => void} onMessage
 * @property {(status: Connection, bye: Bye | null) => void} onStatus
 * @property {() => any} probe a question the server answers at once
 */

/** Without a frame for so long the connection counts as lost; a beat comes every 5 s. */
const SILENCE = 15_000;
/** After so long the connection counts as good and the delays begin anew. */
const STEADY = 5_000;
/** A woken page gives its old connection so long to answer. */
const PATIENCE = 2_000;
const SLOWEST = 20_000;
const FINAL = new Set([4001, 4003, 4004, 4009]);

/** @param {Options} options @param {Environment} env */
export function connect(options, env) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {any} */
  let timer = null;
  /** @type {any} */
  let watchdog = null;
  /** @type {Bye | null} */
  let bye = null;
  let attempts = 0;
  let heard = 0;
  let opened = 0;
  let welcome = false;
  let ended = false;

  /** Lets go of the old socket for good: nothing it still says is heard. */
  function drop() {
    env.clearTimeout(watchdog);
    const old = socket;
    socket = null;
    welcome = false;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = old.onerror = null;
    try {
      old.close();
    } catch {
      // A socket that never opened may refuse to close; it is not heard any more either way.
    }
  }

  function open() {
    if (ended) return;
    drop();
    env.clearTimeout(timer);
    timer = null;
    bye = null;
    const mine = env.open(options.address());
    socket = mine;
    heard = env.now();
    options.onStatus("connecting", null);
    watch(SILENCE);
    mine.onmessage = (event) => {
      if (mine === socket) receive(event.data);
    };
    mine.onclose = (event) => {
      if (mine === socket) lost(event.code);
    };
  }

  /** @param {unknown} data */
  function receive(data) {
    heard = env.now();
    watch(SILENCE);
    let message;
    try {
      message = JSON.parse(String(data));
    } catch {
      return;
    }
    if (message?.type === "bye") bye = message;
    if (message?.type === "welcome") {
      welcome = true;
      opened = env.now();
      options.onStatus("open", null);
    }
    options.onMessage(message);
  }

  /** @param {number} ms */
  function watch(ms) {
    env.clearTimeout(watchdog);
    watchdog = env.setTimeout(() => lost(0), ms);
  }

  /** @param {number} code of the close, 0 for a silent loss */
  function lost(code) {
    const steady = welcome && env.now() - opened >= STEADY;
    drop();
    if (steady) attempts = 0;
    const said = bye ?? null;
    const final = FINAL.has(said?.code ?? code) || (said !== null && said.retry_ms === null);
    if (final) {
      ended = true;
      const reason = said ?? { type: /** @type {const} */ ("bye"), code, reason: "", retry_ms: null };
      options.onStatus("ended", reason);
      return;
    }
    const asked = said?.retry_ms ?? 0;
    // The first time at once; then later and later, and never all pages at the same moment.
    const most = attempts === 0 ? 0 : Math.min(SLOWEST, 500 * 2 ** attempts);
    const jitter = said ? 1000 * env.random() : 0;
    attempts += 1;
    options.onStatus("waiting", said);
    timer = env.setTimeout(open, Math.max(asked + jitter, most * (0.5 + env.random() / 2)));
  }

  return {
    start: open,
    /** @param {object} message @returns {boolean} whether it was given to an open connection */
    send(message) {
      if (!socket || !welcome || socket.readyState !== 1) return false;
      socket.send(JSON.stringify(message));
      return true;
    },
    /** The page has come back, from sleep, the back button or a dead network. */
    wake() {
      if (ended) return;
      if (!socket) open();
      else if (env.now() - heard > SILENCE) lost(0);
      else if (this.send(options.probe())) watch(PATIENCE);
    },
    /** The network says that it is gone: better to know at once than by silence. */
    lose() {
      if (socket) lost(0);
    },
    /** The page goes away and may come back. */
    pause() {
      drop();
      env.clearTimeout(timer);
      timer = null;
    },
    /** Begins again from nothing. */
    restart() {
      attempts = 0;
      open();
    },
  };
}
