/**
 * The place looked at stands in the page's address, as the ply behind a hash.
 *
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 */

/** So long somebody looks at a step before the address tells it: to write is dear, and what is passed by needs no
 * address. Browsers stand a hundred changes within 30 s, too; beyond that one of them throws. */
const PAUSE = 320;

/** @param {Replay} replay @param {History} history of the game */
export function createAddress(replay, history) {
  /** What was last read or written; another address is one to follow, not to overwrite. */
  let known = location.hash;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** Goes to the place that the address names. */
  function follow() {
    clearTimeout(timer);
    known = location.hash;
    const [, ply] = /^#(\d+)$/.exec(location.hash) ?? [];
    if (ply !== undefined) void replay.find(Number(ply));
  }

  addEventListener("hashchange", follow);

  /** Writes the place that is looked at, when it is at rest: not while a replay plays. */
  function write() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const hash = replay.place === null ? "" : `#${history.at(replay.place)?.ply ?? 0}`;
      if (replay.playing || known === hash || known !== location.hash) return;
      known = hash;
      window.history.replaceState(null, "", hash || location.pathname + location.search);
    }, PAUSE);
  }

  return { follow, write };
}
