// What pages do beyond plain HTML: light or dark, copy buttons, menus that close, the game chooser.

const root = document.documentElement;
root.dataset.script = "";

// The answer to a form becomes a page like others: reloading it, or coming back to it, sends nothing again.
if (root.dataset.address) history.replaceState(null, "", root.dataset.address);

/** @param {string} theme "light", "dark", or "" to follow the system */
function setTheme(theme) {
  // A cookie, not storage: the server writes the choice into the page, so nothing flashes.
  document.cookie = `theme=${theme}; path=/; samesite=lax; max-age=${theme ? 31536000 : 0}`;
  if (theme) root.dataset.theme = theme;
  else delete root.dataset.theme;
  showTheme();
}

function showTheme() {
  for (const meta of themeColours) {
    const its = meta.dataset.themeColour ?? "";
    const chosen = root.dataset.theme;
    meta.media = chosen ? (chosen === its ? "all" : "not all") : `(prefers-color-scheme: ${its})`;
  }
  for (const button of themeButtons) {
    button.setAttribute("aria-pressed", String(button.dataset.setTheme === (root.dataset.theme ?? "")));
  }
}

/** @type {NodeListOf<HTMLMetaElement>} */
const themeColours = document.querySelectorAll("[data-theme-colour]");
/** @type {NodeListOf<HTMLButtonElement>} */
const themeButtons = document.querySelectorAll("[data-set-theme]");
for (const button of themeButtons) {
  button.addEventListener("click", () => setTheme(button.dataset.setTheme ?? ""));
}
showTheme();

// A menu closes when the hand or the focus goes elsewhere, and on Escape.

/** @type {NodeListOf<HTMLDetailsElement>} */
const menus = document.querySelectorAll("details.menu");

/** @param {EventTarget | null} target */
function closeMenusBut(target) {
  for (const menu of menus) {
    if (!(target instanceof Node && menu.contains(target))) menu.open = false;
  }
}

document.addEventListener("pointerdown", (event) => closeMenusBut(event.target));
document.addEventListener("focusin", (event) => closeMenusBut(event.target));
for (const menu of menus) {
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
}

// Copy buttons: <button data-copy="text" data-copied="word to show">.

/** @type {NodeListOf<HTMLButtonElement>} */
const copyButtons = document.querySelectorAll("button[data-copy]");
for (const button of copyButtons) {
  const label = button.textContent ?? "";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.dataset.copy ?? "");
    button.textContent = button.dataset.copied ?? label;
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

// A box that shows what is typed into a password's field: <input type="checkbox" data-shows="its id">.

/** @type {NodeListOf<HTMLInputElement>} */
const showBoxes = document.querySelectorAll("input[data-shows]");
for (const box of showBoxes) {
  const field = document.getElementById(box.dataset.shows ?? "");
  box.checked = false;
  box.addEventListener("change", () => field?.setAttribute("type", box.checked ? "text" : "password"));
  box.closest("label")?.removeAttribute("hidden");
}

// The chooser shows the questions of the chosen game and leaves out those of the others.

/** @param {HTMLFormElement} form */
function showOptions(form) {
  const chosen = new FormData(form).get("rules");
  for (const part of form.querySelectorAll("fieldset[data-rules]")) {
    if (!(part instanceof HTMLFieldSetElement)) continue;
    part.hidden = part.disabled = part.dataset.rules !== chosen;
  }
}

/** @type {NodeListOf<HTMLFormElement>} */
const choosers = document.querySelectorAll("form[data-chooser]");
for (const form of choosers) {
  form.addEventListener("change", () => showOptions(form));
  showOptions(form);
}

// Times are written in the boards' zone; here they become the reader's own, in the same short form.

/** @type {NodeListOf<HTMLTimeElement>} */
const times = document.querySelectorAll("time[data-local]");
const now = new Date();
// Western figures in every language, as in the rest of the page.
const locale = `${root.lang || "en"}-u-nu-latn`;
const [hour, day, year, whole] = [
  new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short" }),
  new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric" }),
  new Intl.DateTimeFormat(locale, { dateStyle: "full", timeStyle: "short" }),
];
for (const time of times) {
  const when = new Date(time.dateTime);
  const form =
    when.toDateString() === now.toDateString() ? hour : when.getFullYear() === now.getFullYear() ? day : year;
  time.textContent = form.format(when);
  time.title = whole.format(when);
}

// When a page cannot be reached, one that says so is shown. The worker stands at the root of the site, this
// script under static/<release>/js/.

const release = new URL("..", import.meta.url).pathname.split("/").at(-2) ?? "";
const worker = new URL(`../../../worker.js?release=${release}`, import.meta.url);
navigator.serviceWorker?.register(worker).catch(() => {
  // A browser that allows none goes on without.
});
