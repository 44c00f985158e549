/**
 * Answers what somebody asks about the table by key: a pile, all of it, where a run could go.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {import("./notation.js").Source} Source
 * @typedef {"pile" | "table" | "places"} Question
 */

import { readPosition } from "./board.js";
import { pileText, placesText, tableText } from "./reading.js";

/**
 * @param {PileInfo[]} layout
 * @param {() => {position: string, dests: Record<string, string[]>}} shown what is seen now
 * @param {(text: string) => void} say
 */
export const createReader =
  (layout, shown, say) => (/** @type {Question} */ what, /** @type {Source} */ source) => {
    const { position, dests } = shown();
    const pile = layout.find(({ name }) => name === source.pile);
    if (what === "table") say(tableText(layout, position));
    else if (what === "places") say(placesText(layout, position, dests, source));
    else if (pile) say(pileText(pile, readPosition(position).get(pile.name) ?? []));
  };
