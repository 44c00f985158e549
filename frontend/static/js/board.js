/**
 * Where all cards lie: the position text, and which card element lies where.
 *
 * @typedef {import("./protocol.js").Effect} Effect
 * @typedef {Map<string, string[]>} Piles  cards by pile, from the table up
 * @typedef {Map<string, number[]>} Places  card elements by pile, from the table up
 */

export const FACE_DOWN = "##";

/** @param {string} card */
export const isDown = (card) => card === FACE_DOWN;

/** @param {string} position @returns {Piles} */
export function readPosition(position) {
  /** @type {Piles} */
  const piles = new Map();
  for (const text of position.split("/")) {
    const [name = "", ...cards] = text.split(" ");
    piles.set(name, cards);
  }
  return piles;
}

/** @param {Piles} piles */
export function writePosition(piles) {
  return [...piles].map(([name, cards]) => [name, ...cards].join(" ")).join("/");
}

/**
 * Takes cards from the end of one pile to the end of another, in place.
 * @template T
 * @param {Map<string, T[]>} piles @param {string} from @param {string} to @param {number} count
 */
function carry(piles, from, to, count) {
  const source = piles.get(from);
  const target = piles.get(to);
  if (!source || !target || count < 1 || source.length < count) return;
  target.push(...source.splice(source.length - count));
}

/** The position after a move, before the server has said what else it brings about.
 * @param {string} position @param {string} from @param {string} to @param {number} count */
export function moved(position, from, to, count) {
  const piles = readPosition(position);
  carry(piles, from, to, count);
  return writePosition(piles);
}

/**
 * One effect applied to cards or to elements. A turned card keeps its element.
 * @template {string | number} T
 * @param {Map<string, T[]>} piles @param {Effect} effect
 */
export function applyEffect(piles, effect) {
  const [kind, from, to, count] = effect;
  if (kind === "move") carry(piles, String(from), String(to), Number(count));
  if (kind === "recycle") {
    const source = piles.get(String(from));
    piles.get(String(to))?.push(...(source?.splice(0).reverse() ?? []));
  }
}

/** The positions on the way of an event with several moves, the last left out.
 * @param {string} position @param {Effect[]} effects @returns {string[]} */
export function stages(position, effects) {
  const piles = readPosition(position);
  const moves = effects.filter(([kind]) => kind === "move").length;
  /** @type {string[]} */
  const out = [];
  let seen = 0;
  for (const effect of effects) {
    if (effect[0] === "move" && seen++ > 0) out.push(writePosition(piles));
    if (seen > moves) break;
    turn(piles, effect);
    applyEffect(piles, effect);
  }
  return out;
}

/** @param {Piles} piles @param {Effect} effect */
function turn(piles, [kind, name, card]) {
  const pile = kind === "turn" ? piles.get(String(name)) : undefined;
  if (pile?.length) pile[pile.length - 1] = String(card);
}

/** The position before an event, from the one after it.
 * @param {string} position @param {Effect[]} effects */
export function rewound(position, effects) {
  const piles = readPosition(position);
  for (const effect of [...effects].reverse()) {
    const [kind, from, to, count] = effect;
    if (kind === "turn") turn(piles, ["turn", String(from), FACE_DOWN]);
    else if (kind === "move") applyEffect(piles, ["move", String(to), String(from), Number(count)]);
    else if (kind === "recycle") applyEffect(piles, ["recycle", String(to), String(from)]);
  }
  return writePosition(piles);
}

/**
 * Finds each card of a position an element: effects say which element went where, and where they
 * do not (a jump, an undo), an element stays if its card does and else a card of the same face is
 * taken from where one is missing. No element is ever made or lost.
 *
 * @param {Places} before @param {string[]} faces the face each element showed last
 * @param {Piles} piles @param {Effect[]} effects
 * @returns {Places}
 */
export function settle(before, faces, piles, effects) {
  /** @type {Places} */
  const places = new Map([...before].map(([name, ids]) => [name, [...ids]]));
  for (const effect of effects) applyEffect(places, effect);
  /** @type {Places} */
  const out = new Map();
  /** @type {Map<string, number[]>} */
  const spare = new Map();
  /** @type {[number[], number, string][]} */
  const open = [];
  for (const [name, cards] of piles) {
    const ids = places.get(name) ?? [];
    /** @type {number[]} */
    const kept = [];
    cards.forEach((card, index) => {
      const id = ids[index];
      // An element that shows no face yet may become any card, and one turned down stays.
      if (id !== undefined && (faces[id] === card || faces[id] === FACE_DOWN || isDown(card)))
        kept[index] = id;
      else open.push([kept, index, card]);
    });
    ids.forEach((id, index) => {
      if (kept[index] === id) return;
      const face = faces[id] ?? FACE_DOWN;
      spare.set(face, [...(spare.get(face) ?? []), id]);
    });
    out.set(name, kept);
  }
  const late = open.filter(([kept, index, card]) => {
    const id = spare.get(card)?.shift();
    if (id !== undefined) kept[index] = id;
    return id === undefined;
  });
  const rest = [...spare.values()].flat();
  for (const [kept, index] of late) {
    const id = rest.shift();
    if (id !== undefined) kept[index] = id;
  }
  return out;
}
