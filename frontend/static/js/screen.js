/** How much room the table has, and what stands where because of it. */

import { byId } from "./dom.js";

const phone = matchMedia("(max-width: 820px)");
const rails = matchMedia("(max-height: 479.98px) and (min-width: 560px) and (orientation: landscape)");

/** @param {HTMLElement} felt @param {() => void} onChange */
export function createScreen(felt, onChange) {
  new ResizeObserver(onChange).observe(felt);
  phone.addEventListener("change", stand);
  rails.addEventListener("change", stand);
  stand();

  /** On a phone score, moves and time stand on the felt. */
  function stand() {
    if (phone.matches && !rails.matches) felt.append(byId("standing"));
    else byId("steps").after(byId("standing"));
  }

  return {
    /** @returns {{width: number, height: number, mode: import("./layout.js").Mode}} */
    room: () => ({
      width: felt.clientWidth,
      height: felt.clientHeight,
      mode: rails.matches ? "rails" : phone.matches ? "phone" : "wide",
    }),
  };
}
