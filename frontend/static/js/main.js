/**
 * Puts the table together from what the page brings, and connects it.
 *
 * @typedef {import("./protocol.js").Change} Change
 */

import { createAddress } from "./address.js";
import { announcer } from "./announce.js";
import { readBoot } from "./boot.js";
import { createCaption } from "./caption.js";
import { createChart } from "./chart.js";
import { elapsed } from "./clock.js";
import { byId } from "./dom.js";
import { listenToPointer } from "./drag.js";
import { createEnding } from "./ending.js";
import { createFelt } from "./felt.js";
import { createHand } from "./hand.js";
import { createHistory, pages } from "./history.js";
import { steer } from "./input.js";
import { keep, take } from "./kept.js";
import { link, tell } from "./link.js";
import { copy, fullScreen, listenToButtons, share, submit } from "./menu.js";
import { createMoves } from "./moves.js";
import { createPanel } from "./panel.js";
import { createReader } from "./reader.js";
import { renderer } from "./render.js";
import { createReplay } from "./replay.js";
import { createScreen } from "./screen.js";
import { boast } from "./sentences.js";
import { slipOf } from "./slip.js";
import { createStanding } from "./standing.js";
import { createTab } from "./tab.js";
import { createTable } from "./table.js";
import { createTeller } from "./teller.js";
import { createTransport } from "./transport.js";
import { meant } from "./typed.js";
import { createVariation } from "./variation.js";
import { createVerdict } from "./verdict.js";
import { modeOf } from "./view.js";
import { createWin } from "./win.js";
import { createWords } from "./words.js";

const boot = readBoot();
const [place, feltBox, tableBox, notice] = [byId("place"), byId("felt"), byId("table"), byId("notice")];
const { cards: sprite = "", icons = "" } = place.dataset;
const { layout } = boot.welcome.game;
const title = place.querySelector("h1")?.textContent ?? "";
const now = () => performance.now();
/** So short an interruption is not worth a word; nor is the wait for the first connection, for longer. */
const [PATIENCE, AT_FIRST] = [400, 4000];

const own = createHistory(pages(boot.updates), redraw);
const history = createVariation(own);
const replay = createReplay(history, moved);
const address = createAddress(replay, history);
const screen = createScreen(feltBox, paint);
const view = renderer(tableBox, layout, sprite, screen.room);
const felt = createFelt(view);
const slip = slipOf(feltBox, byId("slip"));
const teller = createTeller(layout, announcer(byId("live"), now), slip, view);
const { say } = teller;
const standing = createStanding(byId("standing"));
const tab = createTab(document.title);
const panel = createPanel(title);
const moves = createMoves(replay, history);
const caption = createCaption(layout, replay, history);
const chart = createChart(byId("chart"), replay, history);
const transport = createTransport(icons, replay, history);
const table = createTable(boot.welcome, now, { changed, happened, refused });
const hand = createHand(layout, view, {
  state: () => table.state,
  mayPlay: () => table.mayPlay && replay.place === null,
  ask,
  changed: redraw,
  barred,
});

/** @type {Change[]} */
let news = [];
/** `since`: when the last move was seen, by the page's clock. */
let [since, lapsed, patience] = [now(), now(), AT_FIRST];
let [frame, beside] = [0, 0];
const end = createEnding(
  {
    shown: boot.welcome.snapshot?.status === "won" && boot.welcome.role === "player" && location.hash === "",
    result: boot.result,
  },
  boot.urls.game,
  { isStill: () => felt.isStill, changed: redraw },
);

const verdict = createVerdict(byId("verdict"), boot.verdict, { replay, history, own, table, teller, redraw });
const win = createWin(byId("win"), sprite, icons, (name) => {
  if (name === "replay") {
    end.leave();
    void replay.go(0);
  } else if (name === "next") submit("new");
  else if (name === "same") submit("again");
});

const words = createWords(byId("words"), layout, {
  type(text) {
    const { live, pending } = table.state;
    const { command, problem = "" } = pending ? { problem: oneMoment() } : meant(text, { layout, ...live });
    if (command !== undefined) ask(command);
    else teller.read(problem);
    return problem;
  },
  closed: () => view.focus(view.cursor),
  changed: redraw,
});

/** What is seen: live, or the step looked at, from which nothing can be played. */
function shown() {
  const entry = replay.place === null ? undefined : history.at(replay.place);
  return entry ? { position: entry.position, dests: {} } : table.state.live;
}

const oneMoment = () => gettext("One moment: the move before is still on its way.");
/** @param {string} command */
function ask(command) {
  slip.hide();
  if (!table.ask(command)) say(oneMoment());
}

function barred() {
  if (table.state.connection === "ended") teller.read(notice.textContent ?? "");
  else if (table.state.role === "player" && !table.isOver)
    say(gettext("This is a move of the past. Go back to the game to play."));
}

/** @param {Change} change @param {string} before @param {boolean} own */
function happened(change, before, own) {
  news.push(change);
  history.add([change]);
  since = now();
  if (replay.place === null) teller.happened(change, before, own);
}

/** @param {import("./state.js").State} state */
function refused(state) {
  const { refusal, live } = state;
  hand.release();
  if (refusal?.code === "not_yours" && refusal.id)
    keep(state.game.code, { ...refusal, id: refusal.id, seq: live.seq });
  teller.refused(state);
}

/** @param {import("./state.js").State} state @param {import("./state.js").State} before */
function changed(state, before) {
  if (state.epoch !== before.epoch) history.clear();
  if (state.live !== before.live) {
    history.reach(state.live);
    if (news.length === 0) since = now();
    hand.check();
    if (state.live.status !== before.live.status) ended();
    else if (drag.isCarrying() && state.live.position !== before.live.position) drag.cancel();
    if (state.live.seq > before.live.seq + 1 && before.moving)
      void history.around(state.live.seq).catch(() => undefined);
  }
  // Silence counts from when the connection was last good, however often it is tried again.
  if (state.connection !== before.connection && [state.connection, before.connection].includes("open"))
    [lapsed, patience] = [now(), PATIENCE];
  const lost = state.bye?.code === 4003 ? state.pending : null;
  if (lost && state.connection === "ended") keep(state.game.code, lost);
  if (state.crowd !== before.crowd) panel.showCrowd(state.crowd);
  redraw();
}

/** The game has come to its end while one was looking on. */
function ended() {
  const { live, role } = table.state;
  teller.ended(live);
  if (live.status === "won" && replay.place === null) end.won(role === "player");
}

/** Another step is looked at. */
function moved() {
  slip.hide();
  if (replay.place !== null) end.leave();
  if (!history.isVaried) address.write();
  redraw();
}

function redraw() {
  if (frame === 0) frame = requestAnimationFrame(paint);
}

function paint() {
  cancelAnimationFrame(frame);
  frame = 0;
  const { state } = table;
  const looking = replay.place !== null;
  const over = table.isOver;
  const mode = modeOf(end, over, state.role === "player" && !looking);
  const back = mode === "watch" || mode === "replay";
  if (place.dataset.view !== mode) place.dataset.view = mode;
  place.classList.toggle("looking", back);
  for (const name of ["slider", "steps", "ribbon"]) byId(name).toggleAttribute("hidden", !back);
  byId("speeds").toggleAttribute("hidden", !back || !(looking || over));
  const entry = looking ? (history.at(replay.place ?? 0) ?? null) : null;
  felt.show(state, news, entry, hand.marks, mode === "play", history.at(state.live.seq) ?? null);
  news = [];
  teller.drawn();
  verdict.show(mode === "replay");
  if (end.shown) win.show(state.live, end.result, state.role === "player");
  else win.hide();
  if (beside === 0) beside = requestAnimationFrame(paintAround);
}

/** What stands around the cards waits a frame, and the lists another, so that the cards need not. */
function paintAround() {
  const { state } = table;
  const mode = place.dataset.view ?? "";
  const back = mode === "watch" || mode === "replay";
  caption.show(state.live, mode, table.mayPlay);
  if (back) history.whole();
  if (back) transport.show(!table.isOver);
  words.show(shown().position, mode === "play");
  tick();
  tell(notice, state, boot.urls, { patient: now() - lapsed < patience, gone: replay.gone });
  beside = requestAnimationFrame(() => {
    beside = 0;
    moves.show();
    if (table.isOver) chart.show();
  });
}

/** What counts on by itself. */
function tick() {
  const { state } = table;
  const entry = replay.place === null ? null : (history.at(replay.place) ?? null);
  const moment = state.connection === "ended" ? lapsed : now(); // A dead page's clock stands still.
  standing.show(entry ?? state.live, entry ? entry.elapsed_ms : elapsed(state.live, state.heard, moment));
  const { status, seq } = state.live;
  tab.show({ player: state.role === "player", status, seq, score: (entry ?? state.live).score });
  panel.showState(state, moment - since);
  if (state.connection !== "open" && now() - lapsed > patience && notice.hidden) redraw();
}

const drag = listenToPointer(feltBox, steer({ view, felt, hand, slip, table: tableBox }));
const act = listenToButtons(place, {
  undo: () => ask("undo"),
  collect: () => ask("collect"),
  "yes-give-up": () => ask("give_up"),
  live: () => replay.live(),
  look: () => void replay.go(Math.max(0, replay.steps - 1)),
  list: moves.toggle,
  crowd: () => say(byId("crowd-line").title),
  share: () => void share(title, boast(title, table.state.live), location.href).then(say),
  copy: () => void copy(location.origin + boot.urls.game).then(say),
  "copy-deal": () => void copy(byId("deal").textContent ?? "").then(say),
  full: fullScreen,
  words: words.toggle,
  type: words.open,
  verdict: () => verdict.toggle(),
});
steer.keys(tableBox, {
  view,
  felt,
  hand,
  slip,
  replay,
  ask,
  act,
  read: createReader(layout, shown, teller.read),
  layout,
  mayPlay: () => table.mayPlay && replay.place === null,
});
addEventListener("preferences", redraw);
document.addEventListener("visibilitychange", tick);
setInterval(tick, 250);

if (boot.start) history.begin(boot.start);
history.reach(table.state.live);
panel.showCrowd(null);
address.follow();
paint();
paintAround();
place.dataset.ready = "";
if (table.isOver && !end.shown && location.hash === "") {
  if (table.state.live.status === "won") void replay.go(0);
  else void replay.go(replay.steps);
}
// What the last moves were: the list beside the table, and what an undo would take back.
void history
  .around(table.state.live.seq)
  .then(() => {
    const last = history.at(table.state.live.seq);
    const { snapshot } = boot.welcome;
    if (last && snapshot && !table.state.moving)
      since = now() - Math.max(0, snapshot.elapsed_ms - last.elapsed_ms);
    redraw();
  })
  .catch(() => undefined);
const kept = take(table.state.game.code);
if (kept && table.mayPlay && kept.seq === table.state.live.seq) table.dispatch({ type: "asked", ...kept });
link(boot, table).start();
