/**
 * Cards and piles in words. Whole names, so that every language can build them its own way.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 */

import { isDown } from "./board.js";

/** @type {Record<string, () => string>} */
const CARDS = {
  AS: () => gettext("ace of spades"),
  "2S": () => gettext("two of spades"),
  "3S": () => gettext("three of spades"),
  "4S": () => gettext("four of spades"),
  "5S": () => gettext("five of spades"),
  "6S": () => gettext("six of spades"),
  "7S": () => gettext("seven of spades"),
  "8S": () => gettext("eight of spades"),
  "9S": () => gettext("nine of spades"),
  TS: () => gettext("ten of spades"),
  JS: () => gettext("jack of spades"),
  QS: () => gettext("queen of spades"),
  KS: () => gettext("king of spades"),
  AH: () => gettext("ace of hearts"),
  "2H": () => gettext("two of hearts"),
  "3H": () => gettext("three of hearts"),
  "4H": () => gettext("four of hearts"),
  "5H": () => gettext("five of hearts"),
  "6H": () => gettext("six of hearts"),
  "7H": () => gettext("seven of hearts"),
  "8H": () => gettext("eight of hearts"),
  "9H": () => gettext("nine of hearts"),
  TH: () => gettext("ten of hearts"),
  JH: () => gettext("jack of hearts"),
  QH: () => gettext("queen of hearts"),
  KH: () => gettext("king of hearts"),
  AD: () => gettext("ace of diamonds"),
  "2D": () => gettext("two of diamonds"),
  "3D": () => gettext("three of diamonds"),
  "4D": () => gettext("four of diamonds"),
  "5D": () => gettext("five of diamonds"),
  "6D": () => gettext("six of diamonds"),
  "7D": () => gettext("seven of diamonds"),
  "8D": () => gettext("eight of diamonds"),
  "9D": () => gettext("nine of diamonds"),
  TD: () => gettext("ten of diamonds"),
  JD: () => gettext("jack of diamonds"),
  QD: () => gettext("queen of diamonds"),
  KD: () => gettext("king of diamonds"),
  AC: () => gettext("ace of clubs"),
  "2C": () => gettext("two of clubs"),
  "3C": () => gettext("three of clubs"),
  "4C": () => gettext("four of clubs"),
  "5C": () => gettext("five of clubs"),
  "6C": () => gettext("six of clubs"),
  "7C": () => gettext("seven of clubs"),
  "8C": () => gettext("eight of clubs"),
  "9C": () => gettext("nine of clubs"),
  TC: () => gettext("ten of clubs"),
  JC: () => gettext("jack of clubs"),
  QC: () => gettext("queen of clubs"),
  KC: () => gettext("king of clubs"),
};

/** @type {Record<string, string>} */
const SIGNS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** @type {Record<string, () => string>} */
const SUITS = {
  S: () => gettext("spades"),
  H: () => gettext("hearts"),
  D: () => gettext("diamonds"),
  C: () => gettext("clubs"),
};

/** "king of hearts" @param {string} card */
export const cardName = (card) => (isDown(card) ? gettext("face-down card") : (CARDS[card]?.() ?? card));

/** K♥, as in print @param {string} card */
export const cardSign = (card) => (card[0] === "T" ? "10" : card[0]) + (SIGNS[card[1] ?? ""] ?? "");

/** @param {PileInfo} pile */
export function pileName(pile) {
  const number = Number(pile.name.slice(1));
  switch (pile.role) {
    case "column":
      return interpolate(gettext("column %(number)s"), { number }, true);
    case "foundation":
      return pile.suit
        ? interpolate(
            gettext("foundation, %(suit)s"),
            { suit: SUITS[pile.suit.toUpperCase()]?.() ?? "" },
            true,
          )
        : interpolate(gettext("foundation %(number)s"), { number }, true);
    case "stock":
      return gettext("stock");
    case "waste":
      return gettext("waste");
    default:
      return interpolate(gettext("cell %(number)s"), { number }, true);
  }
}

/** The name of a pile's group. @param {PileInfo} pile @param {number} count */
export function pileLabel(pile, count) {
  if (count === 0) return interpolate(gettext("%(pile)s, empty"), { pile: pileName(pile) }, true);
  const pattern = ngettext("%(pile)s, %(count)s card", "%(pile)s, %(count)s cards", count);
  return interpolate(pattern, { pile: pileName(pile), count }, true);
}
