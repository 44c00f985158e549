/**
 * Leads pointer and keyboard to the hand that holds the cards.
 *
 * @typedef {ReturnType<typeof import("./render.js").renderer>} Renderer
 * @typedef {ReturnType<typeof import("./felt.js").createFelt>} Felt
 * @typedef {ReturnType<typeof import("./hand.js").createHand>} Hand
 * @typedef {ReturnType<typeof import("./slip.js").slipOf>} Slip
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {import("./notation.js").Source} Source
 * @typedef {import("./layout.js").Box} Box
 */

import { go } from "./cursor.js";
import { listenToKeys } from "./keys.js";
import { prefers } from "./preferences.js";

/** @param {HTMLElement} table */
const origin = (table) => table.getBoundingClientRect();

/**
 * @param {{view: Renderer, felt: Felt, hand: Hand, slip: Slip, table: HTMLElement}} parts
 * @returns {import("./drag.js").Table}
 */
export function steer({ view, felt, hand, slip, table }) {
  /** @param {Box} card @param {{x: number, y: number}} pointer @returns {[Box, {x: number, y: number}]} */
  const onFelt = (card, pointer) => {
    const { left, top } = origin(table);
    return [
      { ...card, x: card.x - left, y: card.y - top },
      { x: pointer.x - left, y: pointer.y - top },
    ];
  };
  /** @type {Element[]} */
  let raised = [];
  return {
    settle: () => felt.settle(),
    sourceOf(element) {
      const target = element?.closest(".card, .slot");
      if (!(target instanceof HTMLElement) || !table.contains(target)) return null;
      return { pile: target.dataset.pile ?? "", count: Number(target.dataset.count ?? 0) };
    },
    mayLift: (source) => hand.mayLift(source),
    lift(source) {
      slip.hide();
      return hand.lift(source);
    },
    hover: (card, pointer) => hand.hover(...onFelt(card, pointer)),
    drop: (card, pointer) => hand.drop(...onFelt(card, pointer)),
    cancel: () => void hand.release(),
    tap(source, x, y, time) {
      slip.hide();
      if (!source && document.activeElement === document.body) table.focus({ preventScroll: true });
      hand.tap(source, x, y, time);
    },
    peek(source) {
      for (const element of raised) element.classList.remove("peek");
      raised = source ? view.run(source).slice(0, 1) : [];
      for (const element of raised) element.classList.add("peek");
    },
  };
}

/**
 * @param {HTMLElement} table
 * @param {object} parts
 * @param {Renderer} parts.view @param {Felt} parts.felt @param {Hand} parts.hand @param {Slip} parts.slip
 * @param {Replay} parts.replay @param {(command: string) => void} parts.ask @param {(name: string) => void} parts.act
 * @param {import("./protocol.js").PileInfo[]} parts.layout
 * @param {() => boolean} parts.mayPlay
 * @param {(what: "pile" | "table" | "places", source: Source) => void} parts.read
 */
steer.keys = (table, { view, felt, hand, slip, replay, ask, act, layout, mayPlay, read }) => {
  const columns = layout.filter((pile) => pile.role === "column");
  const stock = layout.some((pile) => pile.role === "stock");

  /** The cards from the cursor to the end of its pile. @returns {Source} */
  const here = () => {
    const { pile, index } = view.cursor;
    return { pile, count: index < 0 ? 0 : view.faces(pile).length - index };
  };
  const enter = () => {
    felt.settle();
    slip.hide();
    hand.enter(here());
  };

  listenToKeys(table, {
    playing: mayPlay,
    letters: () => prefers("letters"),
    draws: () => stock,
    go: (key) => view.focus(go(view.geometry, view.cursor, key)),
    enter,
    escape() {
      slip.hide();
      return hand.release();
    },
    digit(text) {
      const pile = columns[(Number(text) + 9) % 10];
      if (!pile) return;
      const { name } = pile;
      felt.settle();
      if (hand.picked && hand.picked.pile !== name) hand.enter({ pile: name, count: 0 });
      else {
        const { count } = hand.longest(name);
        view.focus({ pile: name, index: view.faces(name).length - Math.max(1, count) });
      }
    },
    undo: () => ask("undo"),
    draw() {
      if (stock) ask("draw");
    },
    collect: () => ask("collect"),
    newGame: () => act("new"),
    fullScreen: () => act("full"),
    help: () => act("help"),
    step(by) {
      replay.pause();
      void replay.by(by);
    },
    jump(end) {
      replay.pause();
      void replay.go(end === "first" ? 0 : replay.steps);
    },
    toggle: () => replay.toggle(),
    read: (what) => read(what, hand.picked && what === "places" ? hand.picked : here()),
    type: () => act("type"),
    verdict: () => act("verdict"),
  });

  // Speech, switches and the like click without a pointer.
  table.addEventListener("click", (event) => {
    if (event.detail !== 0 || !mayPlay()) return;
    const where = view.locate(event.target instanceof Element ? event.target : null);
    if (!where) return;
    view.focus(where);
    enter();
  });
};
