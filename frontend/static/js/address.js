/**
 * The place looked at stands in the page's address, as the ply behind a hash.
 *
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 */

/** @param {Replay} replay @param {History} history of the game */
export function createAddress(replay, history) {
  /** Goes to the place that the address names. */
  function follow() {
    const [, ply] = /^#(\d+)$/.exec(location.hash) ?? [];
    if (ply !== undefined) void replay.find(Number(ply));
  }

  addEventListener("hashchange", follow);
  return {
    follow,
    /** Writes the place that is looked at. */
    write() {
      const hash = replay.place === null ? "" : `#${history.at(replay.place)?.ply ?? 0}`;
      if (location.hash === hash) return;
      window.history.replaceState(null, "", hash || location.pathname + location.search);
    },
  };
}
