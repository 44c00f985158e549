/**
 * Tells what happens, for the ear and, where the eye needs words too, on the slip.
 *
 * @typedef {import("./protocol.js").PileInfo} PileInfo
 * @typedef {import("./protocol.js").Change} Change
 * @typedef {import("./state.js").State} State
 * @typedef {ReturnType<typeof import("./announce.js").announcer>} Voice
 * @typedef {ReturnType<typeof import("./slip.js").slipOf>} Slip
 * @typedef {ReturnType<typeof import("./render.js").renderer>} Renderer
 */

import { ending, refusedCards, told } from "./sentences.js";
import { play } from "./sounds.js";
import { removesRun } from "./transport.js";

/** @param {PileInfo[]} layout @param {Voice} voice @param {Slip} slip @param {Renderer} view */
export function createTeller(layout, voice, slip, view) {
  /** @type {(() => void) | null} */
  let afterwards = null;

  return {
    /** @param {string} text */
    say(text) {
      if (!text) return;
      voice.say(text);
      slip.show(text, "", view.geometry, "");
    },
    /** For the ear alone. @param {string} text */
    read: (text) => voice.say(text),
    /** @param {Change} change @param {string} before @param {boolean} own */
    happened(change, before, own) {
      // The end has a sentence of its own.
      if (change.command === "give_up") return;
      const text = told(layout, change, before);
      if (own) voice.say(text);
      else voice.tell(text);
      play(removesRun(change) ? "run" : "move");
    },
    /** A refusal is shown once the cards are back where they belong. @param {State} state */
    refused({ refusal, live, role }) {
      // That the player's session is over the connection tells at once, and in better words.
      if (refusal?.code === "not_yours" && role === "player") return;
      if (!refusal || (refusal.code === "no_place" && refusal.command.startsWith("send"))) return;
      const { pile, detail } = refusedCards(layout, refusal.command, live.position);
      voice.say(refusal.text);
      play("refusal");
      afterwards = () => slip.show(refusal.text, detail, view.geometry, pile);
    },
    /** @param {{status: string, moves: number}} live */
    ended({ status, moves }) {
      voice.say(ending(status, moves));
      if (status === "won") play("win");
    },
    /** The table has been drawn. */
    drawn() {
      afterwards?.();
      afterwards = null;
    },
  };
}
