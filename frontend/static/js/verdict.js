/**
 * After the end: whether the game could be won, told when it is asked for and never before. A bar under the
 * slider, a sentence, a winning line on the same table, and the way to try it oneself.
 *
 * @typedef {import("./protocol.js").GameVerdict} GameVerdict
 * @typedef {ReturnType<typeof import("./replay.js").createReplay>} Replay
 * @typedef {ReturnType<typeof import("./variation.js").createVariation>} History
 * @typedef {ReturnType<typeof import("./history.js").createHistory>} Own
 */

import { byId, make, setAttribute, setText } from "./dom.js";
import { found, stretches } from "./found.js";
import { branch } from "./variation.js";

const AGAIN = 1500;

/**
 * @param {HTMLElement} place @param {string} address of the verdict
 * @param {object} world
 * @param {Replay} world.replay @param {History} world.history what is looked at
 * @param {Own} world.own the game's own history
 * @param {ReturnType<typeof import("./table.js").createTable>} world.table
 * @param {{read: (text: string) => void}} world.teller @param {() => void} world.redraw
 */
export function createVerdict(place, address, { replay, history, own, table, teller, redraw }) {
  const say = teller.read;
  const button = make(
    "button",
    { type: "button", class: "ask", "aria-expanded": "false" },
    gettext("Could it be won?"),
  );
  const bar = make("div", { class: "stretches", role: "img", dir: "ltr" });
  const sentence = make("p", { class: "sentence" });
  const line = make("button", { type: "button", class: "button narrow-text" });
  const from = make("button", { type: "button", class: "button narrow-text" }, gettext("Try from here"));
  const told = make("div", { class: "told", hidden: "" }, sentence, line, from);
  place.append(bar, button, told);
  let open = false;
  /** @type {GameVerdict | null} */
  let verdict = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let failed = false;

  button.addEventListener("click", () => toggle());
  line.addEventListener("click", () => (history.isVaried ? back() : play()));
  from.addEventListener("click", () => {
    const form = /** @type {HTMLFormElement} */ (byId("from-form"));
    const ply = /** @type {HTMLInputElement} */ (form.elements.namedItem("ply"));
    ply.value = String(verdict?.last_won ?? 0);
    form.requestSubmit();
  });

  async function ask() {
    clearTimeout(timer);
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(String(answer.status));
      verdict = await answer.json();
      failed = false;
      // What move it was is known once all moves are here.
      if (verdict?.state === "found") await own.need(1, own.head.seq);
    } catch {
      failed = true;
    }
    if (!open) return;
    if (verdict === null || verdict.state === "waiting") timer = setTimeout(ask, AGAIN);
    if (text()) say(text());
    redraw();
  }

  function toggle() {
    if (!table.isOver) return;
    open = !open;
    clearTimeout(timer);
    if (open && verdict?.state !== "found") void ask();
    else if (open) say(text());
    else back();
    redraw();
  }

  function text() {
    if (verdict === null) return failed ? gettext("The answer does not come. It is asked for again.") : "";
    /** @param {number} ply */
    const command = (ply) => own.at(own.line?.[ply] ?? -1)?.command ?? "";
    return found(verdict, { ply: own.head.ply, command }, table.state.live.status === "won");
  }

  /** The line that wins, from where it leaves the game. */
  function play() {
    if (!verdict || verdict.last_won === null) return;
    replay.pause();
    if (replay.all) replay.showUndone(false);
    history.vary(branch(own, verdict.last_won, verdict.line));
    void replay.go(verdict.last_won);
    say(
      interpolate(
        ngettext(
          "A line that wins in %(count)s move. Step with the arrow keys.",
          "A line that wins in %(count)s moves. Step with the arrow keys.",
          verdict.line.length,
        ),
        { count: verdict.line.length },
        true,
      ),
    );
  }

  /** The game as it was played. */
  function back() {
    if (!history.isVaried) return;
    replay.pause();
    const { step } = replay;
    history.vary(null);
    void replay.go(Math.min(step, verdict?.last_won ?? 0));
  }

  return {
    toggle,
    back,
    /** @param {boolean} seen whether there is a place for it now */
    show(seen) {
      place.toggleAttribute("hidden", !seen);
      if (place.hidden) return;
      place.classList.toggle("open", open);
      setAttribute(button, "aria-expanded", String(open));
      const known = open && verdict?.state === "found";
      told.toggleAttribute("hidden", !open);
      bar.toggleAttribute("hidden", !known);
      setText(sentence, text());
      const wins = known && verdict !== null && verdict.line.length > 0;
      for (const button of [line, from]) button.toggleAttribute("hidden", !wins);
      setText(line, history.isVaried ? gettext("Back to the game") : gettext("A line that wins"));
      setAttribute(line, "aria-pressed", String(history.isVaried));
      if (known && verdict) draw(verdict);
    },
  };

  /** @param {GameVerdict} known */
  function draw(known) {
    const key = `${history.isVaried} ${text()}`;
    if (bar.dataset.key === key) return;
    bar.dataset.key = key;
    setAttribute(bar, "aria-label", text());
    // On a line that wins, all of it can be won.
    const shown = history.isVaried
      ? stretches({ ...known, last_won: 1, first_lost: null }, 1)
      : stretches(known, own.head.ply);
    bar.replaceChildren(
      ...shown.map(({ kind, from, to }) => {
        const part = make("i", { class: kind });
        part.style.left = `${from * 100}%`;
        part.style.width = `${(to - from) * 100}%`;
        return part;
      }),
      ...(history.isVaried ? [] : known.recovered).map(({ ply }) => {
        const mark = make("i", { class: "recovered" });
        mark.style.left = `${(ply / Math.max(1, own.head.ply)) * 100}%`;
        return mark;
      }),
    );
  }
}
