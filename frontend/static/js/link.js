/**
 * The page's one connection: its address, its waking and sleeping, and what is said when it fails.
 *
 * @typedef {import("./state.js").State} State
 */

import { askBoot } from "./boot.js";
import { make } from "./dom.js";
import { connect } from "./socket.js";

/** The session of the page is over. */
const OVER = 4003;

/**
 * @param {{socket: string, lang: string, urls: {game: string}}} boot
 * @param {{state: State, dispatch: (message: any) => void, attach: (wire: any) => void}} table
 */
export function link({ socket: path, lang, urls }, table) {
  const socket = connect(
    {
      address() {
        const { live, epoch } = table.state;
        const scheme = location.protocol === "https:" ? "wss" : "ws";
        const query = new URLSearchParams({
          v: "1",
          since: String(live.seq),
          epoch: String(epoch),
          lang,
        });
        return `${scheme}://${location.host}${path}?${query}`;
      },
      onMessage: (message) => {
        if (message && typeof message.type === "string") table.dispatch(message);
      },
      onStatus: (status, bye) => table.dispatch({ type: "connection", status, bye }),
      probe: () => ({ type: "sync", since: table.state.live.seq }),
    },
    {
      open: (address) => new WebSocket(address),
      setTimeout: (act, ms) => setTimeout(act, ms),
      clearTimeout: (timer) => clearTimeout(timer),
      random: Math.random,
      now: () => Date.now(),
    },
  );
  table.attach(socket);
  addEventListener("online", () => socket.wake());
  addEventListener("offline", () => socket.lose());
  addEventListener("pageshow", (event) => {
    if (event.persisted) socket.wake();
  });
  addEventListener("pagehide", (event) => {
    if (event.persisted) socket.pause();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    socket.wake();
    void renew();
  });
  addEventListener("focus", () => void renew());

  /** A session that ended elsewhere may have begun anew there: then this page begins anew as well. */
  async function renew() {
    const { connection, bye, role } = table.state;
    if (connection !== "ended" || bye?.code !== OVER) return;
    if ((await askBoot(urls.game))?.welcome.role === role) location.reload();
  }

  // A move that could not be sent yet is kept by this page alone: one is asked before it goes.
  addEventListener("beforeunload", (event) => {
    const { connection, pending } = table.state;
    if (pending && connection !== "open" && connection !== "ended") event.preventDefault();
  });
  document.addEventListener("resume", () => socket.wake());
  return socket;
}

/**
 * One line about the connection or the place looked at, or none.
 * @param {HTMLElement} notice @param {State} state @param {{login: string}} urls
 * @param {{patient: boolean, gone: boolean}} about
 *   whether a silence is still too short to speak of, and whether the step looked at was taken back
 */
export function tell(notice, state, urls, { patient, gone }) {
  const { connection, bye, outdated, pending } = state;
  /** @type {(string | Node)[]} */
  let line = [];
  if (connection === "ended" && bye?.code === OVER) {
    const login = make("a", { href: urls.login }, gettext("Log in"));
    line = [gettext("Your session is over. Log in and come back to this table."), " ", login];
  } else if (connection === "ended") {
    line = [
      bye?.code === 4004
        ? gettext("There is no such game any more.")
        : gettext("The connection was closed by the server."),
      " ",
      reload(),
    ];
  } else if (connection !== "open" && !patient) {
    line = [
      pending
        ? gettext("Reconnecting… Your last move is kept.")
        : gettext("Reconnecting… The table is as it was."),
    ];
  } else if (gone) {
    line = [gettext("This move has been taken back.")];
  } else if (outdated) {
    line = [gettext("A new version is ready."), " ", reload()];
  }
  const text = line.map((part) => (typeof part === "string" ? part : part.textContent)).join("");
  if (notice.textContent !== text) notice.replaceChildren(...line);
  notice.toggleAttribute("hidden", line.length === 0);
}

function reload() {
  const button = make("button", { type: "button", class: "link" }, gettext("Reload"));
  button.addEventListener("click", () => location.reload());
  return button;
}
