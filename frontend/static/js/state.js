/**
 * What the page knows, and how each message changes it. Pure: the same messages give the same state.
 *
 * @typedef {import("./protocol.js").Welcome} Welcome
 * @typedef {import("./protocol.js").State} Standing
 * @typedef {import("./protocol.js").Change} Change
 * @typedef {import("./protocol.js").Refused} Refused
 * @typedef {import("./protocol.js").Crowd} Crowd
 * @typedef {import("./protocol.js").Bye} Bye
 * @typedef {import("./protocol.js").GameInfo} GameInfo
 *
 * @typedef {"connecting" | "open" | "waiting" | "ended"} Connection
 * @typedef {{id: string, seq: number, command: string, accepted: number | null, tries: number}} Pending
 *   the one command on its way; `accepted` is the seq of its event once the server has said so
 *
 * @typedef {object} State
 * @property {string} release the one the page was made by
 * @property {boolean} outdated the server has a newer one
 * @property {"player" | "spectator"} role
 * @property {GameInfo} game
 * @property {number} epoch
 * @property {Standing} live the newest the page has seen
 * @property {number} heard when it came, by the page's clock
 * @property {number} head the newest seq the page has heard of
 * @property {Change[]} news what came with the last message, in order; empty after a jump
 * @property {boolean} moving whether a move has been seen since the page was opened
 * @property {Pending | null} pending
 * @property {string | null} queued the command to send when the one on its way has arrived
 * @property {(Refused & {command: string}) | null} refusal
 * @property {Crowd | null} crowd
 * @property {Connection} connection
 * @property {Bye | null} bye
 *
 * @typedef {{type: "connection", status: Connection, bye: Bye | null}} ConnectionChanged
 * @typedef {{type: "asked", id: string, command: string}} Asked
 * @typedef {{type: "resent"}} Resent
 * @typedef {{type: "seen"}} Seen  the news have been drawn
 * @typedef {{type: "dismissed"}} Dismissed  the refusal has been read
 */

const KNOWN = new Set([
  "welcome",
  "snapshot",
  "update",
  "accepted",
  "refused",
  "beat",
  "crowd",
  "bye",
  "connection",
  "asked",
  "resent",
  "dismissed",
]);

/** Codes after which the same command may be sent again, by the same id. */
const AGAIN = new Set(["too_fast", "unavailable"]);
const TRIES = 4;

/** @param {Welcome} welcome with a snapshot, as the page brings it @param {number} now @returns {State} */
export function begin(welcome, now) {
  if (!welcome.snapshot) throw new Error("the page came without a position");
  return {
    release: welcome.release,
    outdated: false,
    role: role(welcome.role),
    game: welcome.game,
    epoch: welcome.epoch,
    live: welcome.snapshot,
    heard: now,
    head: welcome.snapshot.seq,
    news: [],
    moving: false,
    pending: null,
    queued: null,
    refusal: null,
    crowd: null,
    connection: "connecting",
    bye: null,
  };
}

/** @param {string} text @returns {State["role"]} */
const role = (text) => (text === "player" ? "player" : "spectator");

/**
 * @param {State} state
 * @param {{type: string, [key: string]: any}} message from the server, or one of the page's own
 * @param {number} now
 * @returns {State}
 */
export function reduce(state, message, now) {
  if (!KNOWN.has(message.type)) return state;
  const before = state.news.length > 0 ? { ...state, news: [] } : state;
  switch (message.type) {
    case "welcome":
      return welcomed(before, /** @type {Welcome} */ (/** @type {unknown} */ (message)), now);
    case "snapshot":
      return settled(jumped(before, /** @type {any} */ (message), now));
    case "update":
      return settled(stepped(before, [/** @type {any} */ (message)], now));
    case "accepted": {
      const { pending } = before;
      if (!pending || pending.id !== message.id) return before;
      const seq = Number(message.seq);
      return settled({ ...before, head: Math.max(before.head, seq), pending: { ...pending, accepted: seq } });
    }
    case "refused":
      return refused(before, /** @type {any} */ (message));
    case "beat":
      return { ...before, head: Math.max(before.head, message.seq) };
    case "crowd":
      return { ...before, crowd: /** @type {any} */ (message) };
    case "bye":
      return { ...before, bye: /** @type {any} */ (message) };
    case "connection":
      return { ...before, connection: message.status, bye: message.bye ?? before.bye };
    case "asked":
      return asked(before, message.id, message.command);
    case "resent":
      return before.pending
        ? { ...before, pending: { ...before.pending, tries: before.pending.tries + 1 } }
        : before;
    default:
      return { ...before, refusal: null };
  }
}

/** @param {State} state @param {Welcome} welcome @param {number} now @returns {State} */
function welcomed(state, welcome, now) {
  const started = welcome.epoch !== state.epoch;
  const next = {
    ...state,
    role: role(welcome.role),
    game: welcome.game,
    epoch: welcome.epoch,
    outdated: welcome.release !== state.release,
    bye: null,
    connection: /** @type {Connection} */ ("open"),
  };
  if (welcome.snapshot) return settled(jumped(next, welcome.snapshot, now, started));
  return settled(stepped(next, welcome.updates ?? [], now));
}

/** A whole position: taken unless it is older than what is shown, which only another epoch may undo.
 * @param {State} state @param {Standing} snapshot @param {number} now @param {boolean} [started]
 * @returns {State} */
function jumped(state, snapshot, now, started = false) {
  if (!started && snapshot.seq < state.live.seq) return state;
  const head = started ? snapshot.seq : Math.max(state.head, snapshot.seq);
  return { ...state, live: snapshot, heard: now, head, news: [], moving: state.moving && !started };
}

/** Updates in order: what is not newer is passed over, and after a gap nothing is taken.
 * @param {State} state @param {Change[]} changes @param {number} now @returns {State} */
function stepped(state, changes, now) {
  let { live, head } = state;
  /** @type {Change[]} */
  const news = [];
  for (const change of changes) {
    head = Math.max(head, change.seq);
    if (change.seq !== live.seq + 1) continue;
    live = change;
    news.push(change);
  }
  if (news.length === 0) return head === state.head ? state : { ...state, head };
  return { ...state, live, head, heard: now, news, moving: true };
}

/** A command is done when its event has been seen, not only accepted.
 * @param {State} state @returns {State} */
function settled(state) {
  const seq = state.pending?.accepted;
  return seq !== null && seq !== undefined && state.live.seq >= seq ? { ...state, pending: null } : state;
}

/** @param {State} state @param {Refused} message @returns {State} */
function refused(state, message) {
  const head = Math.max(state.head, message.seq ?? 0);
  const { pending } = state;
  if (!pending || message.id !== pending.id) return { ...state, head };
  if (AGAIN.has(message.code) && pending.tries < TRIES) {
    return { ...state, head, refusal: { ...message, command: pending.command } };
  }
  return { ...state, head, pending: null, queued: null, refusal: { ...message, command: pending.command } };
}

/** @param {State} state @param {string} id @param {string} command @returns {State} */
function asked(state, id, command) {
  if (state.pending) return state.queued === null ? { ...state, queued: command } : state;
  const pending = { id, seq: state.live.seq, command, accepted: null, tries: 0 };
  return { ...state, pending, queued: null, refusal: null };
}

/** Whether the page knows that it has missed something. @param {State} state */
export const isBehind = (state) => state.head > state.live.seq;

/** Whether a refusal is only a request for patience. @param {State} state */
export const mustRetry = (state) =>
  state.pending !== null && state.refusal !== null && state.refusal.id === state.pending.id;

/** @param {State} state */
export const isOver = (state) => state.live.status !== "playing";

/** @param {State} state */
export const mayPlay = (state) => state.role === "player" && !isOver(state) && state.connection !== "ended";
