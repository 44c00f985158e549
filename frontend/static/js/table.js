/**
 * The table: holds the state, gives every message to `reduce`, and does what follows from it —
 * ask for what was missed, send what waits, say what happened, draw.
 *
 * @typedef {import("./state.js").State} State
 * @typedef {import("./protocol.js").Change} Change
 * @typedef {import("./protocol.js").Welcome} Welcome
 *
 * @typedef {object} Wire the connection, or anything that stands for one
 * @property {(message: object) => boolean} send
 * @property {() => void} restart
 *
 * @typedef {object} Listeners
 * @property {(state: State, before: State) => void} changed after each message
 * @property {(change: Change, before: string, own: boolean) => void} happened for each event seen
 * @property {(state: State) => void} refused
 */

import { begin, isBehind, isOver, mayPlay, mustRetry, reduce } from "./state.js";

const GAP = 300;
const AGAIN = 2000;
const RETRY = 1000;

/** @param {Welcome} welcome @param {() => number} now @param {Listeners} listeners */
export function createTable(welcome, now, listeners) {
  let state = begin(welcome, now());
  /** @type {Wire | null} */
  let wire = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let syncing;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let retrying;
  /** whether updates that come now may have happened a while ago */
  let late = false;

  /** @param {{type: string, [key: string]: any}} message */
  function dispatch(message) {
    const before = state;
    state = reduce(state, message, now());
    if (message.type === "beat" && message.epoch !== state.epoch) {
      wire?.restart();
      return;
    }
    if (state === before) return;
    let position = before.live.position;
    const mine = before.pending?.command;
    if (state.news !== before.news) {
      for (const change of state.news) {
        listeners.happened(change, position, change.command === mine || mine?.startsWith("send") === true);
        position = change.position;
      }
    }
    catchUp(message.type === "refused" && message.code === "stale" ? 0 : GAP);
    if (message.type === "welcome" || (state.pending && state.pending.id !== before.pending?.id)) give();
    if (message.type === "snapshot") late = false;
    if (message.type === "welcome" && message.updates) late = true;
    if (late && !isBehind(state)) setClock();
    if (message.type === "refused") {
      if (mustRetry(state)) retry(message.retry_ms ?? RETRY);
      if (state.refusal && state.refusal !== before.refusal) listeners.refused(state);
    }
    listeners.changed(state, before);
    const next = state.queued;
    if (!state.pending && next !== null) {
      state = { ...state, queued: null };
      if (mayPlay(state)) ask(next);
    }
  }

  /** Asks what the clock shows now: late updates tell the time of their events, and a page may be old. */
  function setClock() {
    late = false;
    if (state.live.running) wire?.send({ type: "sync", since: state.live.seq });
  }

  /** Sends the command that waits for its answer, once for each connection. */
  function give() {
    const { pending } = state;
    if (!pending || pending.accepted !== null) return;
    wire?.send({ type: "play", id: pending.id, seq: pending.seq, command: pending.command });
  }

  /** @param {number} ms */
  function retry(ms) {
    clearTimeout(retrying);
    const id = state.pending?.id;
    retrying = setTimeout(() => {
      if (state.pending?.id !== id) return;
      dispatch({ type: "resent" });
      give();
    }, ms);
  }

  /** @param {number} wait what is missing may be on its way */
  function catchUp(wait) {
    if (!isBehind(state) || (syncing !== undefined && wait > 0)) return;
    clearTimeout(syncing);
    syncing = setTimeout(() => {
      syncing = undefined;
      if (!isBehind(state)) return;
      wire?.send({ type: "sync", since: state.live.seq });
      late = true;
      catchUp(AGAIN);
    }, wait);
  }

  /** @param {string} command @returns {boolean} whether it will be tried */
  function ask(command) {
    if (!mayPlay(state) || state.queued !== null) return false;
    dispatch({ type: "asked", id: newId(), command });
    return true;
  }

  return {
    get state() {
      return state;
    },
    get mayPlay() {
      return mayPlay(state);
    },
    get isOver() {
      return isOver(state);
    },
    dispatch,
    ask,
    /** @param {Wire} to */
    attach(to) {
      wire = to;
    },
  };
}

/** A name of its own for each intention; `randomUUID` is there on secure pages only. */
function newId() {
  if (typeof crypto.randomUUID === "function") return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, "0"),
  ).join("");
}
