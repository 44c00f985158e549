/**
 * The table in words, for somebody who asks: a pile, all of it, or where a run could go. Pure.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {import("./notation.js").Source} Source
 */

import { isDown, readPosition } from "./board.js";
import { cardName, pileLabel, pileName } from "./names.js";
import { writeSource } from "./notation.js";

/** "a, b, c" as the page's language lists it. @param {string[]} items */
export const listed = (items) =>
  new Intl.ListFormat(globalThis.document?.documentElement.lang || "en", { type: "unit" }).format(items);

/** One pile with its cards, from the table up; of a heap only what is seen.
 * @param {PileInfo} pile @param {string[]} cards */
export function pileText(pile, cards) {
  const label = pileLabel(pile, cards.length);
  const open = cards.filter((card) => !isDown(card));
  const shown = pile.fan === "none" ? open.slice(-1) : open;
  if (shown.length === 0) return `${label}.`;
  const down = cards.length - open.length;
  const hidden = interpolate(
    ngettext("%(count)s face down", "%(count)s face down", down),
    { count: down },
    true,
  );
  const names = shown.map(cardName);
  return `${label}: ${listed(down > 0 && pile.fan !== "none" ? [hidden, ...names] : names)}.`;
}

/** The last card of every pile. @param {PileInfo[]} layout @param {string} position */
export function tableText(layout, position) {
  const piles = readPosition(position);
  return layout
    .map((pile) => {
      const cards = piles.get(pile.name) ?? [];
      const last = cards.at(-1);
      return last === undefined || isDown(last)
        ? `${pileLabel(pile, cards.length)}.`
        : `${pileName(pile)}: ${cardName(last)}.`;
    })
    .join(" ");
}

/** Where a run could go. @param {PileInfo[]} layout @param {string} position
 * @param {Record<string, string[]>} dests @param {Source} source */
export function placesText(layout, position, dests, source) {
  const piles = readPosition(position);
  const first = source.count > 0 ? piles.get(source.pile)?.at(-source.count) : undefined;
  if (first === undefined) {
    const empty = layout.find(({ name }) => name === source.pile);
    return empty ? `${pileLabel(empty, 0)}.` : "";
  }
  const card = cardName(first);
  const takers = dests[writeSource(source)] ?? [];
  if (takers.length === 0) return interpolate(gettext("%(card)s: no place takes it."), { card }, true);
  const places = layout
    .filter(({ name }) => takers.includes(name))
    .map((pile) => {
      const under = piles.get(pile.name)?.at(-1);
      return under === undefined ? pileLabel(pile, 0) : `${pileName(pile)} (${cardName(under)})`;
    });
  return interpolate(gettext("%(card)s goes to: %(places)s."), { card, places: listed(places) }, true);
}
