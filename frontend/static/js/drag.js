/**
 * The pointer on the felt: one finger, pen or mouse at a time, which either taps or carries a run.
 * Anything that ends a drag without a drop brings the cards home and sends nothing.
 *
 * @typedef {import("./notation.js").Source} Source
 *
 * @typedef {import("./layout.js").Box} Box
 *
 * @typedef {object} Table what the pointer may do
 * @property {() => void} settle ends all flights, so that the pointer meets cards where they lie
 * @property {(element: Element | null) => Source | null} sourceOf
 * @property {(source: Source) => boolean} mayLift
 * @property {(source: Source) => HTMLElement[]} lift
 * @property {(card: Box, pointer: {x: number, y: number}) => void} hover
 * @property {(card: Box, pointer: {x: number, y: number}) => void} drop
 * @property {() => void} cancel
 * @property {(source: Source | null, x: number, y: number, time: number) => void} tap
 * @property {(source: Source | null) => void} peek shows a covered card whole, or none
 */

const FAR = { mouse: 4, pen: 6, touch: 9 };
const LONG = 450;

/** @param {HTMLElement} felt @param {Table} table */
export function listenToPointer(felt, table) {
  /** @type {{id: number, x: number, y: number, far: number, source: Source | null, time: number} | null} */
  let down = null;
  /** @type {HTMLElement[]} */
  let hand = [];
  /** Where the first card of the hand lay. @type {DOMRect | undefined} */
  let home;
  let peeking = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let hold;

  function release() {
    clearTimeout(hold);
    if (peeking) table.peek(null);
    peeking = false;
    down = null;
    hand = [];
  }

  function cancel() {
    const carried = hand.length > 0;
    release();
    if (carried) table.cancel();
  }

  /** @param {DOMRect} box @param {number} dx @param {number} dy @returns {Box} */
  const moved = (box, dx, dy) => ({ x: box.x + dx, y: box.y + dy, w: box.width, h: box.height });
  /** @param {PointerEvent} event */
  const at = (event) => ({ x: event.clientX, y: event.clientY });

  felt.addEventListener("pointerdown", (event) => {
    if (down) {
      // A second finger is no part of a drag.
      cancel();
      return;
    }
    if (!event.isPrimary || !(event.target instanceof Element) || event.target.closest("button, a, dialog"))
      return;
    table.settle();
    const source = table.sourceOf(document.elementFromPoint(event.clientX, event.clientY));
    if (event.button === 2 && source) {
      peeking = true;
      table.peek(source);
    }
    if (event.button !== 0 && !peeking) return;
    const far = FAR[/** @type {keyof typeof FAR} */ (event.pointerType)] ?? FAR.mouse;
    down = { id: event.pointerId, ...at(event), far, source, time: event.timeStamp };
    if (!source || peeking) return;
    felt.setPointerCapture(event.pointerId);
    if (event.pointerType !== "touch") return;
    hold = setTimeout(() => {
      if (!down || hand.length > 0) return;
      peeking = true;
      table.peek(source);
    }, LONG);
  });

  felt.addEventListener("pointermove", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const [dx, dy] = [event.clientX - down.x, event.clientY - down.y];
    if (hand.length === 0) {
      if (Math.hypot(dx, dy) < down.far || event.buttons === 2) return;
      clearTimeout(hold);
      if (!down.source || !table.mayLift(down.source)) {
        // A stroke that carries nothing is no tap either.
        release();
        return;
      }
      if (peeking) table.peek(null);
      peeking = false;
      hand = table.lift(down.source);
      home = hand[0]?.getBoundingClientRect();
    }
    // First what asks the layout, then what changes it: the other way round it would be made for every move.
    if (home) table.hover(moved(home, dx, dy), at(event));
    for (const element of hand) element.style.transform = `translate(${dx}px, ${dy}px)`;
  });

  felt.addEventListener("pointerup", (event) => {
    if (!down || event.pointerId !== down.id) return;
    const { source, x, y, time } = down;
    const first = hand.length > 0 && home ? moved(home, event.clientX - x, event.clientY - y) : null;
    const peeked = peeking;
    release();
    if (first) table.drop(first, at(event));
    else if (!peeked && event.button === 0) table.tap(source, x, y, time);
  });

  felt.addEventListener("pointercancel", cancel);
  felt.addEventListener("lostpointercapture", () => {
    if (down) cancel();
  });
  addEventListener("blur", cancel);
  addEventListener("keydown", ({ key }) => {
    if (key === "Escape") cancel();
  });
  document.addEventListener("visibilitychange", cancel);
  felt.addEventListener("contextmenu", (event) => {
    if (event.target instanceof Element && event.target.closest(".card")) event.preventDefault();
  });
  felt.addEventListener("dragstart", (event) => event.preventDefault());
  return { cancel, isCarrying: () => hand.length > 0 };
}
