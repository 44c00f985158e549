/**
 * Who plays, who watches, and how the game stands, beside the table or above it.
 *
 * @typedef {import("./state.js").State} State
 * @typedef {import("./protocol.js").Crowd} Crowd
 */

import { clockText } from "./clock.js";
import { byId, make, setText } from "./dom.js";
import { choose, prefers } from "./preferences.js";
import { thinking } from "./sentences.js";

/** Names in the one line of a phone; the count says the rest. */
const NAMED = 2;

/** @param {string} title */
export function createPanel(title) {
  const place = byId("place");
  const state = byId("state");
  const about = byId("about");
  const watching = byId("watching");
  const line = byId("crowd-line");
  const crowd = byId("crowd");
  const count = byId("count");
  const hide = make("button", { type: "button", class: "link" });
  hide.addEventListener("click", () => {
    const show = !isTold();
    delete place.dataset.unspoilt;
    if (prefers("result") !== show) choose("result", show);
    refresh();
  });
  let refresh = () => {};
  /** Whether the end may be told: an address can ask for a replay that does not give it away. */
  const isTold = () => prefers("result") && !("unspoilt" in place.dataset);

  return {
    /** @param {State} now @param {number} since how long ago the last move was */
    showState(now, since) {
      const { live } = now;
      if (live.status === "playing") {
        setText(about, title);
        about.toggleAttribute("hidden", false);
        state.classList.toggle("lively", live.running);
        setText(state, live.running ? thinking(since) : gettext("not begun yet"));
        return;
      }
      state.classList.remove("lively");
      refresh = () => {
        const result = isTold() ? summary(now) : gettext("finished");
        setText(hide, isTold() ? gettext("hide result") : gettext("show result"));
        state.replaceChildren(result, " · ", hide);
      };
      if (!state.contains(hide)) refresh();
      setText(about, title);
    },
    /** @param {Crowd | null} now */
    showCrowd(now) {
      const people = now?.count ?? 0;
      const names = now?.names ?? [];
      const text = interpolate(
        ngettext("%(count)s watching", "%(count)s watching", people),
        { count: people },
        true,
      );
      setText(watching, text);
      setText(count, String(people));
      crowd.hidden = people === 0;
      const first = names.slice(0, NAMED);
      const others = people - first.length;
      const list = first.length > 0 ? ` · ${first.join(", ")}${others > 0 ? ` +${others}` : ""}` : "";
      setText(line, `${people}${list}`);
      line.title = text;
      const rest = people - names.length;
      const more =
        rest > 0 && names.length > 0
          ? interpolate(ngettext("and %(count)s guest", "and %(count)s guests", rest), { count: rest }, true)
          : "";
      crowd.replaceChildren(
        make("p", { class: "watching" }, text),
        make("p", { class: "names" }, ...names.flatMap((name) => [make("bdi", {}, name), " "])),
        make("p", { class: "rest" }, more),
      );
    },
  };
}

/** @param {State} state */
function summary({ live }) {
  const parts = [live.status === "won" ? gettext("won") : gettext("given up")];
  if (live.score !== null) parts.push(String(live.score));
  parts.push(clockText(live.elapsed_ms));
  return parts.join(" · ");
}
