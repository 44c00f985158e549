/**
 * The controls for looking back: slider, steps, speeds. They follow the table, left to right.
 *
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} History
 */

import { clockText } from "./clock.js";
import { byId, draw, make, setAttribute, setText } from "./dom.js";
import { SPEEDS } from "./replay.js";

/**
 * @param {string} icons @param {Replay} replay @param {History} history
 * @param {{slider: HTMLElement, steps: HTMLElement, speeds: HTMLElement, list: HTMLElement}} [places]
 *   those of a table's page, if nothing else is said
 */
export function createTransport(icons, replay, history, places = ofThePage()) {
  const range = make("input", {
    type: "range",
    min: "0",
    max: "0",
    value: "0",
    "aria-label": gettext("Move"),
  });
  const ticks = make("div", { class: "ticks", "aria-hidden": "true" });
  places.slider.append(ticks, range);
  range.addEventListener("input", () => {
    replay.pause();
    void replay.go(Number(range.value));
  });

  /** @param {string} icon @param {string} label @param {() => void} act @param {string} [kind] */
  function button(icon, label, act, kind = "") {
    const element = make("button", {
      type: "button",
      class: `step ${kind}`,
      "aria-label": label,
      title: label,
    });
    element.append(draw(`${icons}#${icon}`, "0 0 20 20").svg);
    element.addEventListener("click", act);
    places.steps.append(element);
    return element;
  }
  /** @param {() => void} act */
  const stopped = (act) => () => {
    replay.pause();
    act();
  };
  const first = button(
    "first",
    gettext("First move"),
    stopped(() => void replay.go(0)),
  );
  const back = button(
    "back",
    gettext("Previous move"),
    stopped(() => void replay.by(-1)),
  );
  const play = button("play", gettext("Play"), () => replay.toggle(), "play");
  const count = make("p", { class: "count" });
  places.steps.append(count);
  const forward = button(
    "forward",
    gettext("Next move"),
    stopped(() => void replay.by(1)),
  );
  const last = button(
    "last",
    gettext("Last move"),
    stopped(() => void replay.go(replay.steps)),
    "end",
  );

  /** @type {[number | "played", HTMLButtonElement][]} */
  const speeds = [];
  for (const speed of [...SPEEDS, /** @type {const} */ ("played")]) {
    const text = speed === "played" ? gettext("as played") : speed === 0.5 ? "½" : String(speed);
    const element = make("button", { type: "button", class: "speed" }, text);
    if (speed !== "played")
      element.setAttribute("aria-label", interpolate(gettext("speed %(speed)s"), { speed: text }, true));
    element.addEventListener("click", () => replay.setSpeed(speed));
    speeds.push([speed, element]);
    places.speeds.append(element);
  }
  const one = make("button", { type: "button", class: "button speed-one" });
  one.addEventListener("click", () => {
    const order = [...SPEEDS, /** @type {const} */ ("played")];
    replay.setSpeed(order[(order.indexOf(replay.speed) + 1) % order.length] ?? 1);
  });
  const undone = make("button", { type: "button", class: "link undone-switch" });
  undone.addEventListener("click", () => replay.showUndone(!replay.all));
  places.speeds.append(one);
  places.list.append(undone);
  let ticked = "";

  return {
    /** @param {boolean} live whether there is a live place to go back to */
    show(live) {
      const { step, steps } = replay;
      setAttribute(range, "max", String(steps));
      if (range.value !== String(step)) range.value = String(step);
      range.style.setProperty("--at", String(steps ? step / steps : 0));
      setAttribute(
        range,
        "aria-valuetext",
        interpolate(gettext("%(step)s of %(steps)s"), { step, steps }, true),
      );
      for (const button of [first, back]) button.toggleAttribute("disabled", step === 0);
      const ahead = replay.place !== null && step < steps;
      for (const button of [forward, last]) button.toggleAttribute("disabled", !ahead);
      last.toggleAttribute("hidden", live);
      const waited = interpolate(gettext("waited %(time)s"), { time: clockText(replay.waited) }, true);
      const wait = replay.waited ? ` · ${waited}` : "";
      count.replaceChildren(String(step), make("span", {}, ` / ${steps}${wait}`));
      const label = replay.playing ? gettext("Pause") : gettext("Play");
      setAttribute(play, "aria-label", label);
      setAttribute(play, "title", label);
      setAttribute(
        /** @type {Element} */ (play.querySelector("use")),
        "href",
        `${icons}#${replay.playing ? "pause" : "play"}`,
      );
      for (const [speed, element] of speeds)
        setAttribute(element, "aria-pressed", String(speed === replay.speed));
      setText(
        one,
        replay.speed === "played" ? gettext("as played") : `${replay.speed === 0.5 ? "½" : replay.speed}×`,
      );
      undone.toggleAttribute("hidden", history.straight);
      setText(undone, replay.all ? gettext("Hide undone moves") : gettext("Show undone moves"));
      tick(steps);
    },
  };

  /** A mark where a full run left, among the moves that are here. @param {number} steps */
  function tick(steps) {
    const found = [];
    const most = Math.min(steps, 5000);
    for (let step = 1; step <= most; step += 1) {
      const entry = history.at(replay.seqOf(step));
      if (entry && removesRun(entry)) found.push(step / steps);
    }
    const key = found.join();
    if (key === ticked) return;
    ticked = key;
    ticks.replaceChildren(
      ...found.map((at) => {
        const mark = make("i");
        mark.style.left = `${at * 100}%`;
        return mark;
      }),
    );
  }
}

const ofThePage = () => ({
  slider: byId("slider"),
  steps: byId("steps"),
  speeds: byId("speeds"),
  list: byId("moves-head"),
});

/** A move of several cards to a foundation. @param {{effects: import("./protocol.js").Effect[]}} entry */
export const removesRun = ({ effects }) =>
  effects.some(([kind, , to, count]) => kind === "move" && String(to).startsWith("f") && Number(count) > 1);
