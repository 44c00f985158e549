/**
 * What is said about moves: in the live region, on the slip and in the title.
 *
 * @typedef {import("./protocol.js").Change} Change
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 */

import { FACE_DOWN, readPosition } from "./board.js";
import { clockText } from "./clock.js";
import { cardName, cardSign, pileName } from "./names.js";
import { readCommand } from "./notation.js";

/** @param {PileInfo[]} layout @param {string} name */
const called = (layout, name) => {
  const pile = layout.find((info) => info.name === name);
  return pile ? pileName(pile) : name;
};

/**
 * One event, told to somebody who does not see it.
 * @param {PileInfo[]} layout @param {Change} change @param {string} before the position before it
 */
export function told(layout, change, before) {
  const parts = [];
  if (change.command === "undo") parts.push(gettext("Taken back."));
  const piles = readPosition(before);
  const after = readPosition(change.position);
  for (const [kind, a, b, count] of change.effects) {
    const [from, to] = [String(a), String(b)];
    if (kind === "turn") {
      const drawn = change.command === "draw" || to === FACE_DOWN;
      const card = drawn ? "" : cardName(to);
      if (card) parts.push(interpolate(gettext("Turned: %(card)s."), { card }, true));
    } else if (kind === "recycle") {
      parts.push(gettext("The waste is turned over."));
    } else if (kind === "move") {
      parts.push(carried(layout, piles, after, from, to, Number(count)));
    }
  }
  return parts.join(" ");
}

/** @param {PileInfo[]} layout @param {Map<string, string[]>} piles changed to what it is after the move
 * @param {Map<string, string[]>} after
 * @param {string} from @param {string} to @param {number} count */
function carried(layout, piles, after, from, to, count) {
  const run = piles.get(from)?.splice(-count) ?? [];
  const target = piles.get(to) ?? [];
  const under = target.at(-1);
  target.push(...run);
  const stock = layout.find((pile) => pile.name === from)?.role === "stock";
  if (stock)
    return interpolate(
      gettext("Drawn: %(card)s."),
      { card: cardName(after.get(to)?.at(-1) ?? FACE_DOWN) },
      true,
    );
  const card = cardName(run[0] ?? FACE_DOWN);
  const place = called(layout, to);
  if (count === 13 && layout.find((pile) => pile.name === to)?.role === "foundation") {
    return interpolate(gettext("A full run is removed, %(card)s to ace."), { card }, true);
  }
  const more = count - 1;
  const pattern = under
    ? count === 1
      ? gettext("%(card)s to %(place)s, onto %(under)s.")
      : ngettext(
          "%(card)s and %(more)s card to %(place)s, onto %(under)s.",
          "%(card)s and %(more)s cards to %(place)s, onto %(under)s.",
          more,
        )
    : count === 1
      ? gettext("%(card)s to %(place)s.")
      : ngettext(
          "%(card)s and %(more)s card to %(place)s.",
          "%(card)s and %(more)s cards to %(place)s.",
          more,
        );
  return interpolate(pattern, { card, place, more, under: under ? cardName(under) : "" }, true);
}

/** A step that is no move from pile to pile, in a word; else nothing.
 * @param {Pick<Change, "command" | "effects">} step */
export function word({ command, effects }) {
  if (effects.some(([kind]) => kind === "recycle")) return gettext("turn the waste over");
  if (command === "draw") return gettext("draw");
  if (command === "collect") return gettext("autoplay");
  if (command === "undo") return gettext("undo");
  return command === "give_up" ? gettext("give up") : "";
}

/** A step as it stands on a button: `10♥ to column 3`, `autoplay`.
 * @param {PileInfo[]} layout @param {Pick<Change, "command" | "effects" | "position">} step */
export function inShort(layout, step) {
  const move = readCommand(step.command);
  if (move?.kind !== "move") return word(step);
  // A run that has left lies where it went, the moved cards at its end.
  const places = step.effects.filter(([kind]) => kind === "move").map(([, , to]) => String(to));
  const cards = readPosition(step.position).get(places.at(-1) ?? move.to) ?? [];
  const signs = cards.slice(-move.count).map(cardSign);
  const run = signs.length > 1 ? `${signs[0]}–${signs.at(-1)}` : signs.join("");
  return interpolate(gettext("%(run)s to %(place)s"), { run, place: called(layout, move.to) }, true);
}

/** What cards a refused command was about, and the column the sentence belongs to.
 * @param {PileInfo[]} layout @param {string} text @param {string} position
 * @returns {{pile: string, detail: string}} */
export function refusedCards(layout, text, position) {
  const command = readCommand(text);
  if (!command || (command.kind !== "move" && command.kind !== "send")) return { pile: "", detail: "" };
  const piles = readPosition(position);
  const cards = (piles.get(command.from) ?? []).slice(-command.count).map(cardSign);
  const run = cards.length > 4 ? `${cards.slice(0, 2).join(" ")} … ${cards.at(-1)}` : cards.join(" ");
  if (command.kind === "send") return { pile: command.from, detail: run };
  const under = piles.get(command.to)?.at(-1);
  const detail = under
    ? interpolate(gettext("%(run)s onto %(card)s"), { run, card: cardSign(under) }, true)
    : interpolate(gettext("%(run)s to %(place)s"), { run, place: called(layout, command.to) }, true);
  return { pile: command.to, detail };
}

/** @param {string} status @param {number} moves */
export function ending(status, moves) {
  if (status === "given_up") return gettext("Given up.");
  return interpolate(ngettext("Won in %(moves)s move.", "Won in %(moves)s moves.", moves), { moves }, true);
}

/** What one shares of a win; of any other game only its name.
 * @param {string} title @param {{status: string, moves: number, score: number | null, elapsed_ms: number}} live */
export function boast(title, { status, moves, score, elapsed_ms }) {
  if (status !== "won") return title;
  const figure = score === null ? clockText(elapsed_ms) : String(score);
  return `${title} · ${figure} · ${ending(status, moves)}`;
}

/** @param {number} ms */
export const thinking = (ms) => interpolate(gettext("thinking %(time)s"), { time: clockText(ms) }, true);
