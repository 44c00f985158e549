/**
 * Draws a position: card elements are made once, kept, and moved to where their cards lie.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {import("./protocol.js").Effect} Effect
 * @typedef {import("./notation.js").Source} Source
 * @typedef {import("./layout.js").Geometry} Geometry
 * @typedef {import("./layout.js").Mode} Mode
 * @typedef {import("./cursor.js").Cursor} Cursor
 * @typedef {import("./pieces.js").Group} Group
 * @typedef {import("./pieces.js").Card} Card
 *
 * @typedef {object} Scene
 * @property {string} position
 * @property {Effect[]} effects what led here from the last scene; empty for a jump
 * @property {boolean} still nothing flies
 * @property {boolean} home what flies goes back where it came from
 * @property {ReadonlySet<string>} takes piles that would take the run in hand
 * @property {string | null} hot the one under the hand
 * @property {Source | null} picked
 * @property {Source | null} held in the hand, drawn by the drag
 * @property {Source | null} moved the run that moved last
 * @property {boolean} playable cards are buttons
 */

import { fly, isFlying, land, off, turnOver } from "./anim.js";
import { FACE_DOWN, isDown, readPosition, settle } from "./board.js";
import { clamp } from "./cursor.js";
import { make, setAttribute, settleIn } from "./dom.js";
import { facesOf } from "./faces.js";
import { measure } from "./layout.js";
import { cardName, pileLabel } from "./names.js";
import { at, cardPiece, dress, heat, pilePiece, rings } from "./pieces.js";

export const STRIP = 54;
/** More cards than this change their place in a jump, not in a move. */
const MOST_FLIGHTS = 30;

/**
 * @param {HTMLElement} table @param {PileInfo[]} layout @param {string} sprite
 * @param {() => {width: number, height: number, mode: Mode}} room
 */
export function renderer(table, layout, sprite, room) {
  const drawings = facesOf(sprite);
  /** @type {Map<string, Group>} */
  const groups = new Map(layout.map((info) => [info.name, pilePiece(info, sprite)]));
  const left = new Set(
    layout.filter((pile) => pile.role === "foundation" && !pile.suit).map((pile) => pile.name),
  );
  const bar = make("div", { class: "moved", "aria-hidden": "true" });
  const tail = make("div", { class: "tail", "aria-hidden": "true" });
  table.append(bar, tail, ...[...groups.values()].map(({ element }) => element));

  /** @type {Card[]} */
  const cards = [];
  /** @type {Map<string, number[]>} */
  let places = new Map(layout.map(({ name }) => [name, []]));
  /** @type {Geometry} */
  let geometry = { w: 0, h: 0, small: false, spots: new Map() };
  let roomed = "";
  /** @type {Cursor} */
  let cursor = { pile: layout[0]?.name ?? "", index: 99 };
  /** @type {HTMLElement | null} */
  let stop = null;

  /** Where a card is seen now, in flight or in the hand too. @param {Card} it */
  function seen({ element, x, y, scale }) {
    const away = off(element);
    return away ? { x: x + away.dx, y: y + away.dy, scale: scale * away.scale } : { x, y, scale };
  }

  table.addEventListener("focusin", (event) => {
    const here = locate(event.target instanceof Element ? event.target : null);
    if (here) stand(here, /** @type {HTMLElement} */ (event.target));
  });

  /** @param {Scene} scene */
  function render(scene) {
    const piles = readPosition(scene.position);
    for (const name of piles.keys()) if (!groups.has(name)) piles.delete(name);
    const total = [...piles.values()].reduce((sum, list) => sum + list.length, 0);
    const fresh = cards.length === 0;
    while (cards.length < total) {
      places.get(layout[0]?.name ?? "")?.push(cards.length);
      cards.push(cardPiece());
    }
    const old = places;
    const faces = cards.map((it) => it.face || FACE_DOWN);
    places = settle(old, faces, piles, scene.effects);

    const size = room();
    const key = `${size.width} ${size.height} ${size.mode}`;
    const resized = key !== roomed;
    const had = scene.still || fresh || resized ? null : cards.map(seen);
    const next = measure(layout, piles, { ...size, strip: STRIP });
    roomed = key;
    const was = geometry;
    geometry = next;
    if (was.w !== next.w) table.style.setProperty("--w", `${next.w}px`);
    table.classList.toggle("small", next.small);

    /** @type {[Card, number, number][]} */
    const changed = [];
    for (const group of groups.values()) {
      const { info, element, slot, wedge } = group;
      const spot = next.spots.get(info.name);
      if (!spot) continue;
      const ids = places.get(info.name) ?? [];
      const shown = piles.get(info.name) ?? [];
      const holds = `${ids.length} ${scene.playable}`;
      if (group.key !== holds) {
        group.key = holds;
        setAttribute(element, "aria-label", pileLabel(info, shown.length));
        setAttribute(slot, "role", ids.length === 0 ? (scene.playable ? "button" : "img") : null);
        setAttribute(slot, "aria-label", ids.length === 0 ? pileLabel(info, 0) : null);
        setAttribute(slot, "aria-hidden", ids.length === 0 ? null : "true");
      }
      element.classList.toggle("empty", ids.length === 0);
      at(slot, spot.slot.x, spot.slot.y, spot.scale);
      const under = ids.length ? spot.reach + 0.12 * next.w : spot.slot.y + 0.42 * spot.slot.h;
      at(wedge, spot.slot.x, under, spot.scale);
      ids.forEach((id, index) => {
        const it = cards[id];
        const point = spot.cards[index];
        if (!it || !point) return;
        const face = shown[index] ?? FACE_DOWN;
        const count = ids.length - index;
        const marked = isIn(scene.picked, info.name, count);
        const held = isIn(scene.held, info.name, count);
        const shifted = it.x !== point.x || it.y !== point.y || it.scale !== spot.scale || was.w !== next.w;
        const loose = !held && it.element.style.transform !== "";
        const key = [info.name, index, count, face, marked, held, scene.playable, next.small].join(" ");
        if (shifted || loose) changed.push([it, id, index]);
        else if (it.key === key) return;
        it.key = key;
        if (it.face !== face) {
          if (it.face && had && isDown(it.face) !== isDown(face)) turnOver(it.element);
          it.face = face;
          setAttribute(it.element, "aria-label", cardName(face));
        }
        dress(it, next.small, drawings);
        // An element below a heap's top is hidden from sight, and so from the reader. A run that has
        // left the game shows the card it is called by: its first.
        const top = left.has(info.name) ? 0 : ids.length - 1;
        const covered = info.fan === "none" && index !== top;
        it.element.classList.toggle("covered", covered);
        it.element.classList.toggle("last", count === 1);
        setAttribute(it.element, "aria-hidden", covered ? "true" : null);
        setAttribute(it.element, "role", scene.playable ? "button" : "img");
        it.element.classList.toggle("picked", marked);
        it.element.classList.toggle("held", held);
        setAttribute(it.element, "aria-pressed", scene.playable ? String(marked || held) : null);
        it.element.dataset.pile = info.name;
        it.element.dataset.count = String(count);
        const rest = String(left.has(info.name) ? count : index + 1);
        it.element.dataset.rest = rest;
        if (shifted) {
          [it.x, it.y, it.scale] = [point.x, point.y, spot.scale];
          at(it.element, point.x, point.y, spot.scale);
        }
        if (loose) it.element.style.transform = "";
        if (!isFlying(it.element)) it.element.style.zIndex = held ? String(300 + index) : rest;
      });
    }
    if (had) flights(changed, had, scene, old);
    else for (const [it] of changed) land(it.element);
    change(bar, scene.moved);
    change(tail, scene.held);
    rings(groups, scene.takes, (name) =>
      elementAt({ pile: name, index: (places.get(name) ?? []).length - 1 }),
    );
    heat(groups, scene.hot);
    rove(scene);
    if (fresh) order();
    else requestAnimationFrame(order);
  }

  /** Cards follow each other in the document as on the table. That is for those who hear it, and waits a frame: the
   * browser makes anew what changes its place in the document, and the cards have begun to fly meanwhile. */
  function order() {
    for (const { info, element, wedge } of groups.values()) {
      const ids = places.get(info.name) ?? [];
      ids.forEach((id, index) => {
        const it = cards[id];
        if (it) settleIn(element, it.element, following(ids, index, wedge));
      });
    }
  }

  /** The element a card stands before: cards follow each other, the wedge ends the pile.
   * @param {number[]} ids @param {number} index @param {Node} end */
  function following(ids, index, end) {
    const id = ids[index + 1];
    const element = id === undefined ? undefined : cards[id]?.element;
    return element && element.parentElement === end.parentElement ? element : end;
  }

  /**
   * @param {[Card, number, number][]} changed
   * @param {{x: number, y: number, scale: number}[]} had
   * @param {Scene} scene @param {Map<string, number[]>} old
   */
  function flights(changed, had, scene, old) {
    if (changed.length > MOST_FLIGHTS && scene.effects.length === 0) {
      for (const [it] of changed) land(it.element);
      return;
    }
    const last = scene.effects.filter(([kind]) => kind === "move").at(-1);
    const run = last && Number(last[3]) > 1 && groups.get(String(last[2]))?.info.role === "foundation";
    changed.forEach(([it, id, index], turn) => {
      const from = had[id];
      if (!from) return;
      const far = { dx: from.x - it.x, dy: from.y - it.y, scale: from.scale / it.scale };
      const came = !(old.get(it.element.dataset.pile ?? "") ?? []).includes(id);
      if (run && came)
        fly(it.element, far, { ms: 168, delay: 16 * (changed.length - 1 - turn), order: 60 - index });
      else fly(it.element, far, { home: scene.home, order: came ? 40 + index : index });
    });
  }

  /** A mark beside or under a run. @param {HTMLElement} mark @param {Source | null} run */
  function change(mark, run) {
    const spot = run && geometry.spots.get(run.pile);
    const first = run && spot?.cards[spot.cards.length - run.count];
    mark.toggleAttribute("hidden", !spot || !first);
    if (!spot || !first) return;
    at(mark, first.x, first.y, spot.scale);
    mark.style.height = `${spot.reach - first.y}px`;
  }

  /** One card or empty place of the whole table can be reached by Tab. @param {Scene} scene */
  function rove(scene) {
    const focused = document.activeElement;
    // The focus stays on its card, wherever that has gone.
    const here = table.contains(focused) ? locate(focused) : null;
    if (here) cursor = here;
    stand(cursor, here ? /** @type {HTMLElement} */ (focused) : elementAt(clamp(geometry, cursor)));
    table.classList.toggle("playable", scene.playable);
  }

  /** @param {Cursor} where @param {HTMLElement | null} element */
  function stand(where, element) {
    cursor = where;
    if (stop && stop !== element) stop.tabIndex = -1;
    stop = element;
    if (element && element.tabIndex !== 0) element.tabIndex = 0;
  }

  /** @param {Element | null} element @returns {Cursor | null} */
  function locate(element) {
    const target = element?.closest(".card, .slot");
    if (!(target instanceof HTMLElement)) return null;
    const pile = target.dataset.pile ?? "";
    const count = Number(target.dataset.count ?? 0);
    return { pile, index: target.classList.contains("slot") ? -1 : (places.get(pile)?.length ?? 0) - count };
  }

  /** @param {Cursor} where */
  function elementAt({ pile, index }) {
    const id = places.get(pile)?.[index];
    return (id === undefined ? groups.get(pile)?.slot : cards[id]?.element) ?? null;
  }

  return {
    render,
    locate,
    elementAt,
    get geometry() {
      return geometry;
    },
    get cursor() {
      return clamp(geometry, cursor);
    },
    /** @param {Cursor} where */
    focus(where) {
      const to = clamp(geometry, where);
      const element = elementAt(to);
      stand(to, element);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    /** @param {string | null} pile */
    heat: (pile) => heat(groups, pile),
    /** The elements of a run, first card first. @param {Source} source */
    run({ pile, count }) {
      const ids = (places.get(pile) ?? []).slice(-count);
      return count === 0 ? [] : ids.flatMap((id) => cards[id]?.element ?? []);
    },
    /** @param {string} pile */
    faces: (pile) => (places.get(pile) ?? []).map((id) => cards[id]?.face ?? FACE_DOWN),
  };
}

/** @param {Source | null} run @param {string} pile @param {number} count */
const isIn = (run, pile, count) => run !== null && run.pile === pile && count <= run.count;
