/**
 * The end of a won game: the cards laid out, one sentence, the figures, and what may come next.
 *
 * @typedef {import("./protocol.js").State} Standing
 * @typedef {{places?: {place: number, period: string}[], best?: boolean, ranked?: boolean,
 *   reason?: string | null}} Result
 */

import { readPosition } from "./board.js";
import { clockText } from "./clock.js";
import { draw, make } from "./dom.js";
import { ending } from "./sentences.js";

const RANKS = "KQJT98765432A";

/** @param {HTMLElement} place @param {string} sprite @param {string} icons @param {(act: string) => void} act */
export function createWin(place, sprite, icons, act) {
  place.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-act]") : null;
    if (button instanceof HTMLElement && button.dataset.act) act(button.dataset.act);
  });

  /** One foundation, its cards side by side from the king. @param {string[]} cards */
  function run(cards) {
    const row = make("div", { class: "run", dir: "ltr" });
    for (const card of [...cards].sort((a, b) => RANKS.indexOf(a[0] ?? "") - RANKS.indexOf(b[0] ?? ""))) {
      const element = make("div", { class: "laid", "data-suit": (card[1] ?? "").toLowerCase() });
      element.append(draw(`${sprite}#strip-${card}`, "0 0 100 140").svg);
      row.append(element);
    }
    return row;
  }

  /** @param {string} value @param {string} label */
  const figure = (value, label) => make("div", {}, make("dd", {}, value), make("dt", {}, label));

  /** @param {string} name @param {string} label @param {string} kind @param {string} [icon] */
  function button(name, label, kind, icon) {
    const element = make("button", { type: "button", class: kind, "data-act": name });
    if (icon) element.append(draw(`${icons}#${icon}`, "0 0 20 20").svg);
    element.append(make("span", {}, label));
    return element;
  }

  return {
    hide() {
      place.toggleAttribute("hidden", true);
    },
    /** @param {Standing} live @param {Result | null} result @param {boolean} own */
    show(live, result, own) {
      const piles = [...readPosition(live.position)].filter(([, cards]) => cards.length > 0);
      const runs = make(
        "div",
        { class: "runs", "aria-hidden": "true" },
        ...piles.map(([, cards]) => run(cards)),
      );
      const figures = make("dl", { class: "figures" });
      const best = result?.best === true;
      if (live.score !== null) {
        figures.append(figure(String(live.score), best ? gettext("points, your best") : gettext("points")));
        figures.append(figure(clockText(live.elapsed_ms), gettext("time")));
      } else {
        figures.append(
          figure(clockText(live.elapsed_ms), best ? gettext("time, your best") : gettext("time")),
        );
      }
      /** @type {Record<string, string>} */
      const periods = { today: gettext("today"), week: gettext("this week"), all: gettext("all time") };
      for (const { place, period } of result?.places ?? []) {
        const value = interpolate(gettext("No. %(place)s"), { place }, true);
        figures.append(figure(value, periods[period] ?? ""));
      }
      const row = make("div", { class: "row" }, button("next", gettext("Next deal"), "button inverse"));
      row.append(button("replay", gettext("Replay"), "button outlined", "play"));
      row.append(button("share", gettext("Share"), "button outlined", "share"));
      if (own) row.append(button("same", gettext("Same deal again"), "button button-bare outlined"));
      const sentence = make("p", { class: "sentence serif" }, ending(live.status, live.moves));
      place.replaceChildren(runs, sentence, figures);
      if (result?.reason) place.append(make("p", { class: "reason" }, result.reason));
      place.append(row);
      place.hidden = false;
    },
  };
}
