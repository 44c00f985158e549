/**
 * What the page brings for its script, so that the first picture needs no answer from anywhere.
 *
 * @typedef {object} Boot
 * @property {import("./protocol.js").Welcome} welcome with a snapshot
 * @property {{position: string, score: number | null}} [start] how the game began
 * @property {string} socket @property {string} updates
 * @property {{start: string, home: string, login: string, game: string, rules: string}} urls
 * @property {string} lang @property {import("./win.js").Result | null} result
 */

import { byId } from "./dom.js";

/** @returns {Boot} */
export const readBoot = () => JSON.parse(byId("boot").textContent ?? "");
