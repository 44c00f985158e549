/**
 * What the page brings for its script, so that the first picture needs no answer from anywhere.
 *
 * @typedef {object} Boot
 * @property {import("./protocol.js").Welcome} welcome with a snapshot
 * @property {{position: string, score: number | null}} [start] how the game began
 * @property {string} socket @property {string} updates @property {string} verdict
 * @property {{start: string, home: string, login: string, game: string, rules: string}} urls
 * @property {string} lang @property {import("./win.js").Result | null} result
 */

import { byId } from "./dom.js";

/** @returns {Boot} */
export const readBoot = () => JSON.parse(byId("boot").textContent ?? "");

/** What the page would bring if it were opened now. @param {string} address @returns {Promise<Boot | null>} */
export async function askBoot(address) {
  try {
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return JSON.parse(page.getElementById("boot")?.textContent ?? "null");
  } catch {
    return null;
  }
}
