/**
 * The buttons of the caption: what can be done now, what an undo would take back, and the way to live.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {import("./protocol.js").State} Standing
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 */

import { byId, setText } from "./dom.js";
import { inShort } from "./sentences.js";

/** @param {PileInfo[]} layout @param {Replay} replay @param {History} history */
export function createCaption(layout, replay, history) {
  /** @param {string} name */
  const button = (name) =>
    /** @type {HTMLButtonElement} */ (byId("acts").querySelector(`[data-act="${name}"]`));
  const [undo, collect, live] = [button("undo"), button("collect"), button("live")];
  const undone = byId("undone");
  // Foundations that take one suit each can be built on; others are only left places.
  collect.hidden = !layout.some((pile) => pile.role === "foundation" && pile.suit);

  return {
    /** @param {Standing} now @param {string} mode @param {boolean} open whether a command can be given */
    show(now, mode, open) {
      const can = open && now.actions.includes("undo");
      undo.toggleAttribute("disabled", !can);
      const step = can ? history.lastStep(now.ply) : null;
      setText(undone, step ? inShort(layout, step) : "");
      collect.toggleAttribute("disabled", !open || !now.actions.includes("collect"));
      const looking = replay.place !== null;
      live.toggleAttribute("hidden", mode !== "watch");
      live.classList.toggle("button-main", looking);
      const word = gettext("Live");
      setText(live, looking && replay.behind > 0 ? `${word} +${replay.behind}` : word);
    },
  };
}
