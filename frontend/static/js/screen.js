/** How much room the table has, and what stands where because of it. */

import { byId } from "./dom.js";

const phone = matchMedia("(max-width: 820px)");
const rails = matchMedia("(max-height: 479.98px) and (min-width: 560px) and (orientation: landscape)");

/** @param {HTMLElement} felt @param {() => void} onChange before the new size is seen */
export function createScreen(felt, onChange) {
  /** Asked of the layout when it has been made: in the middle of drawing, it would be made twice.
   * @type {{width: number, height: number} | null} */
  let size = null;
  new ResizeObserver(() => {
    const now = look();
    if (size?.width === now.width && size.height === now.height) return;
    size = now;
    onChange();
  }).observe(felt);
  phone.addEventListener("change", stand);
  rails.addEventListener("change", stand);
  stand();

  /** On a phone score, moves and time stand on the felt. */
  function stand() {
    if (phone.matches && !rails.matches) felt.append(byId("standing"));
    else byId("steps").after(byId("standing"));
  }

  const look = () => ({ width: felt.clientWidth, height: felt.clientHeight });

  return {
    /** @returns {{width: number, height: number, mode: import("./layout.js").Mode}} */
    room() {
      size ??= look();
      return { ...size, mode: rails.matches ? "rails" : phone.matches ? "phone" : "wide" };
    },
  };
}
