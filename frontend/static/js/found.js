/**
 * What was found out about an ended game, in words: where it was lost, and what was taken back in time. Pure.
 *
 * @typedef {import("./protocol.js").GameVerdict} GameVerdict
 * @typedef {{ply: number, command: (ply: number) => string}} Ended the last ply, and what made each
 */

/** @param {string} pattern @param {Record<string, string | number>} values */
const say = (pattern, values) => interpolate(pattern, values, true);

/**
 * Where it was lost, or that it was not.
 * @param {GameVerdict} verdict @param {Ended} ended
 */
export function turn({ last_won, first_lost }, { ply, command }) {
  if (first_lost === 0) return gettext("Lost from the start: these cards could not be won.");
  if (last_won === null && first_lost === null) return gettext("Whether it could be won is not known.");
  if (last_won === null)
    return say(gettext("Lost by move %(last)s at the latest; whether it could be won before is not known."), {
      last: first_lost ?? 0,
    });
  if (last_won === ply) return gettext("Still winnable when given up.");
  if (first_lost === null)
    return say(gettext("Winnable up to move %(move)s; what holds after it is not known."), {
      move: last_won,
    });
  if (first_lost === last_won + 1)
    return say(gettext("Lost by %(command)s at move %(move)s."), {
      command: command(first_lost),
      move: first_lost,
    });
  return say(gettext("Lost between moves %(first)s and %(last)s."), {
    first: last_won + 1,
    last: first_lost,
  });
}

/** All that is told of a game. @param {GameVerdict} verdict @param {Ended} ended @param {boolean} won */
export function found(verdict, ended, won) {
  const { state, recovered } = verdict;
  if (state === "waiting") return gettext("The game is still being looked at…");
  if (state === "withheld")
    return gettext("Somebody still plays this deal for the boards. It is told when that game is over.");
  if (state !== "found") return gettext("Nobody has found out whether it could be won.");
  const parts = [];
  if (!won) parts.push(turn(verdict, ended));
  else if (recovered.length === 0) parts.push(gettext("It could be won at every move."));
  for (const { command, ply } of recovered.slice(0, 3))
    parts.push(
      say(gettext("%(command)s at move %(move)s had lost it, and was taken back."), { command, move: ply }),
    );
  const more = recovered.length - 3;
  if (more > 0)
    parts.push(
      say(ngettext("%(count)s more was taken back.", "%(count)s more were taken back.", more), {
        count: more,
      }),
    );
  return parts.join(" ");
}

/**
 * The stretches of the bar, each from where to where in parts of the whole.
 * @param {GameVerdict} verdict @param {number} ply the last
 * @returns {{kind: "won" | "unknown" | "lost", from: number, to: number}[]}
 */
export function stretches({ last_won, first_lost }, ply) {
  const size = Math.max(1, ply);
  // A move stands where its position is reached: what it decided is coloured from the move before on.
  const won = last_won === null ? 0 : last_won / size;
  const lost = first_lost === null ? 1 : Math.max(0, first_lost - 1) / size;
  /** @type {{kind: "won" | "unknown" | "lost", from: number, to: number}[]} */
  const all = [
    { kind: "won", from: 0, to: won },
    { kind: "unknown", from: won, to: Math.max(won, lost) },
    { kind: "lost", from: Math.max(won, lost), to: 1 },
  ];
  if (ply === 0)
    return all
      .filter(({ kind }) => kind === whole(last_won, first_lost))
      .map((it) => ({ ...it, from: 0, to: 1 }));
  return all.filter(({ from, to }) => to > from);
}

/** @param {number | null} last_won @param {number | null} first_lost */
const whole = (last_won, first_lost) =>
  last_won !== null ? "won" : first_lost !== null ? "lost" : "unknown";
