/**
 * Everything that happened in a game, by seq; fetched a page at a time, and only what is looked at.
 *
 * @typedef {import("./protocol.js").Change} Change
 * @typedef {import("./protocol.js").State} Standing
 * @typedef {Pick<Change, "seq" | "ply" | "position" | "score" | "moves" | "elapsed_ms" | "status" | "command" | "effects">} Entry
 * @typedef {{updates: Change[], next: number | null}} Page
 */

import { rewound } from "./board.js";

const BEFORE = 20;
/** So long a game is fetched whole when one looks back, so that its line is known. */
const WHOLE = 3000;

/**
 * @param {(since: number) => Promise<Page>} fetchPage
 * @param {() => void} onChange
 */
export function createHistory(fetchPage, onChange) {
  /** @type {Map<number, Entry>} */
  let entries = new Map();
  let head = { seq: 0, ply: 0, over: false, ended: false };
  /** @type {Promise<void>} */
  let chain = Promise.resolve();
  /** @type {number[] | null} */
  let line = null;
  let lineOf = -1;
  let asked = false;

  /** @param {Change[]} changes */
  function add(changes) {
    for (const { seq, ply, position, score, moves, elapsed_ms, status, command, effects } of changes) {
      // Where one may go from a position is of no use afterwards, and large.
      entries.set(seq, { seq, ply, position, score, moves, elapsed_ms, status, command, effects });
    }
    const first = entries.get(1);
    if (first && !entries.has(0)) {
      entries.set(0, {
        ...first,
        seq: 0,
        ply: 0,
        position: rewound(first.position, first.effects),
        score: null,
        moves: 0,
        elapsed_ms: 0,
        status: "playing",
        command: "",
        effects: [],
      });
    }
  }

  /** @param {number} from @param {number} to */
  const missing = (from, to) => {
    for (let seq = Math.max(from, 0); seq <= Math.min(to, head.seq); seq += 1)
      if (!entries.has(seq)) return seq;
    return null;
  };

  /** @param {number} from @param {number} to */
  async function load(from, to) {
    for (let seq = missing(from, to); seq !== null; seq = missing(from, to)) {
      const mine = entries;
      const page = await fetchPage(Math.max(0, seq - 1));
      // The log was replaced under way: what came belongs to the old one.
      if (mine !== entries) return;
      add(page.updates);
      onChange();
      if (entries.has(seq)) continue;
      return;
    }
  }

  return {
    add,
    /** The newest state is known, and so how long the log is. @param {Standing} live */
    reach(live) {
      const over = live.status === "given_up";
      head = { seq: live.seq, ply: live.ply, over, ended: live.status !== "playing" };
      if (live.seq === 0) entries.set(0, { ...live, command: "", effects: [] });
      else if (live.ply === 0 && live.moves === 0 && entries.has(0)) {
        const start = /** @type {Entry} */ (entries.get(0));
        entries.set(0, { ...start, score: live.score });
      }
    },
    /** A start that the page has brought. @param {Pick<Standing, "position" | "score">} start */
    begin({ position, score }) {
      entries.set(0, {
        seq: 0,
        ply: 0,
        position,
        score,
        moves: 0,
        elapsed_ms: 0,
        status: "playing",
        command: "",
        effects: [],
      });
    },
    /** The log has been replaced by another. */
    clear() {
      entries = new Map();
      line = null;
      lineOf = -1;
    },
    get head() {
      return head;
    },
    /** @param {number} seq */
    at: (seq) => entries.get(seq),
    /** Makes sure that some entries are here. One request at a time, in the order asked for.
     * @param {number} from @param {number} to @returns {Promise<void>} */
    need(from, to) {
      if (missing(from, to) === null) return Promise.resolve();
      chain = chain.catch(() => undefined).then(() => load(from, to));
      return chain;
    },
    /** @param {number} seq */
    around(seq) {
      return this.need(seq - BEFORE, seq + BEFORE);
    },
    /** Fetches all of a game of usual length, once: then undone moves can be told from the others. */
    whole() {
      if (asked || this.line || head.seq > WHOLE) return;
      asked = true;
      void this.need(1, head.seq).catch(() => undefined);
    },
    /** Whether nothing was ever taken back: then a place in the line is a place in the log. */
    get straight() {
      return head.seq - (head.over ? 1 : 0) === head.ply;
    },
    /** The seq of each ply from 0, where that is known. @returns {number[] | null} */
    get line() {
      if (lineOf === head.seq && line) return line;
      line = this.straight ? Array.from({ length: head.ply + 1 }, (_, ply) => ply) : trace();
      lineOf = line ? head.seq : -1;
      return line;
    },
    /** The seq of a ply of the line that stands now. @param {number} ply */
    async find(ply) {
      if (this.straight) return ply;
      // Each step taken back has cost two places in the log, so the ply cannot lie further on.
      const most = ply + head.seq - head.ply;
      await this.need(ply, most);
      for (let seq = Math.min(most, head.seq); seq >= ply; seq -= 1) {
        const entry = entries.get(seq);
        if (entry?.ply === ply && entry.command !== "give_up") return seq;
      }
      return null;
    },
    /** The step that an undo would take back, if the page has seen it. @param {number} ply */
    lastStep(ply) {
      for (let seq = head.seq; seq > 0; seq -= 1) {
        const entry = entries.get(seq);
        if (!entry) return null;
        if (entry.ply === ply && !isAside(entry)) return entry;
      }
      return null;
    },
  };

  /** Walks the whole log, where all of it is here. */
  function trace() {
    /** @type {number[]} */
    const found = [0];
    for (let seq = 1; seq <= head.seq; seq += 1) {
      const entry = entries.get(seq);
      if (!entry) return null;
      if (entry.command === "undo") found.length = entry.ply + 1;
      else if (!isAside(entry)) found[entry.ply] = seq;
    }
    return found;
  }
}

/** Fetches pages of updates. @param {string} address @returns {(since: number) => Promise<Page>} */
export const pages = (address) => async (since) => {
  const answer = await fetch(`${address}?since=${since}`);
  if (!answer.ok) throw new Error(`the moves after ${since} did not come`);
  return answer.json();
};

/** Events that are no step of the line. @param {{command: string}} entry */
export const isAside = ({ command }) => command === "undo" || command === "give_up";
