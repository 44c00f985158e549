/**
 * What the player holds: a run picked by click or key, or carried by the pointer. Whatever way it
 * came, it ends in one command; legality is the server's.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {import("./notation.js").Source} Source
 * @typedef {import("./state.js").State} State
 * @typedef {ReturnType<typeof import("./render.js").renderer>} Renderer
 *
 * @typedef {object} World
 * @property {() => State} state
 * @property {() => boolean} mayPlay
 * @property {(command: string) => void} ask
 * @property {() => void} changed the hand has changed
 * @property {() => void} barred somebody tried to play where one cannot
 */

import { isDown } from "./board.js";
import { emptyHand, sameSource, tap } from "./click.js";
import { dropTarget } from "./drop.js";
import { writeMove, writeSend, writeSource } from "./notation.js";
import { prefers } from "./preferences.js";

/** @param {PileInfo[]} layout @param {Renderer} renderer @param {World} world */
export function createHand(layout, renderer, world) {
  const roles = new Map(layout.map(({ name, role }) => [name, role]));
  let clicks = emptyHand();
  /** @type {Source | null} */
  let held = null;
  /** @type {string | null} */
  let hot = null;

  /** @param {Source} source @returns {ReadonlySet<string>} */
  const legal = (source) => new Set(world.state().live.dests[writeSource(source)] ?? []);

  /** @param {Source} source */
  function mayLift({ pile, count }) {
    const role = roles.get(pile);
    if (!world.mayPlay() || count < 1 || role === "foundation" || role === "stock") return false;
    if (role !== "column" && count !== 1) return false;
    return renderer
      .faces(pile)
      .slice(-count)
      .every((face) => !isDown(face));
  }

  function release() {
    const had = clicks.picked !== null || held !== null;
    clicks = { ...clicks, picked: null, last: null };
    held = null;
    hot = null;
    if (had) world.changed();
    return had;
  }

  /** @param {string} command */
  function play(command) {
    held = null;
    hot = null;
    clicks = { ...clicks, picked: null };
    world.ask(command);
    world.changed();
  }

  return {
    get marks() {
      const run = held ?? clicks.picked;
      return { takes: run ? legal(run) : new Set(), hot, picked: clicks.picked, held };
    },
    mayLift,
    release,
    /** Lets go of a run that is no longer where it was. */
    check() {
      const run = held ?? clicks.picked;
      if (run && (!mayLift(run) || renderer.faces(run.pile).length < run.count)) release();
    },
    /** @param {Source} source */
    lift(source) {
      clicks = emptyHand();
      held = source;
      world.changed();
      return renderer.run(source);
    },
    /** @param {import("./layout.js").Box} card @param {{x: number, y: number}} pointer */
    hover(card, pointer) {
      if (!held) return;
      const takes = legal(held);
      const target = dropTarget(renderer.geometry, card, pointer, held.pile, takes);
      const now = target && takes.has(target) ? target : null;
      if (now === hot) return;
      hot = now;
      renderer.heat(hot);
    },
    /** @param {import("./layout.js").Box} card @param {{x: number, y: number}} pointer */
    drop(card, pointer) {
      const source = held;
      if (!source) return;
      const target = dropTarget(renderer.geometry, card, pointer, source.pile, legal(source));
      if (prefers("placement") && target !== null) play(writeSend(source));
      else if (target) play(writeMove(source, target));
      else release();
    },
    /** @param {Source | null} source @param {number} x @param {number} y @param {number} time */
    tap(source, x, y, time) {
      if (!world.mayPlay()) {
        if (source) world.barred();
        return;
      }
      const about = {
        draws: source !== null && roles.get(source.pile) === "stock",
        doubles: prefers("doubles"),
        liftable: source !== null && mayLift(source),
      };
      const [next, meaning] = tap(clicks, source && { ...source, x, y, time }, about);
      clicks = next;
      if (meaning.act === "draw") world.ask("draw");
      else if (meaning.act === "send") play(writeSend(meaning.source));
      else if (meaning.act === "move") play(writeMove(meaning.source, meaning.to));
      if (meaning.act !== "none") world.changed();
    },
    /** Enter, on a card or an empty place. @param {Source} source */
    enter(source) {
      if (!world.mayPlay()) {
        world.barred();
        return;
      }
      const { picked } = clicks;
      if (roles.get(source.pile) === "stock") world.ask("draw");
      else if (picked && picked.pile !== source.pile) {
        // The focus goes with the cards: they are what the player had in the hand.
        renderer.run(picked)[0]?.focus({ preventScroll: true });
        play(writeMove(picked, source.pile));
      } else if (sameSource(picked, source)) release();
      else if (mayLift(source)) {
        clicks = { ...emptyHand(), picked: source };
        world.changed();
      }
    },
    /** The longest run of a column that could go anywhere; else its last card.
     * @param {string} pile @returns {Source} */
    longest(pile) {
      const size = renderer.faces(pile).length;
      for (let count = size; count > 1; count -= 1) {
        if (world.state().live.dests[writeSource({ pile, count })]) return { pile, count };
      }
      return { pile, count: Math.min(1, size) };
    },
    get picked() {
      return clicks.picked;
    },
  };
}
