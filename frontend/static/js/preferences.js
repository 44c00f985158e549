/**
 * What somebody prefers. The server writes it into the page as the words of `data-prefer`, so that nothing
 * flashes; a change holds at once, here and in other tabs, and is sent to be kept.
 */

const root = document.documentElement;
const FORM = "form[data-preferences]";

/** @returns {Set<string>} */
const words = () => new Set((root.dataset.prefer ?? "").split(" ").filter(Boolean));

/** @param {string} name */
export const prefers = (name) => words().has(name);

/** @type {BroadcastChannel | null} */
const tabs = typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("preferences");

/** @param {string} prefer the words that hold from now on */
function apply(prefer) {
  root.dataset.prefer = prefer;
  show();
  dispatchEvent(new Event("preferences"));
}

/** Sets the boxes of the page's form to what holds. */
function show() {
  for (const box of document.querySelectorAll(`${FORM} input[type=checkbox]`)) {
    if (box instanceof HTMLInputElement) box.checked = prefers(box.name);
  }
}

/** @param {string} name @param {boolean} value */
export function choose(name, value) {
  const now = words();
  if (value) now.add(name);
  else now.delete(name);
  apply([...now].join(" "));
  tabs?.postMessage(root.dataset.prefer);
  const form = document.querySelector(FORM);
  if (!(form instanceof HTMLFormElement)) return;
  const body = new FormData(form);
  body.set("quiet", "1");
  void fetch(form.action, { method: "POST", body, keepalive: true })
    // Without a connection it holds for this page.
    .catch(() => undefined);
}

show();
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLInputElement && target.form?.matches(FORM) && target.type === "checkbox")
    choose(target.name, target.checked);
});
tabs?.addEventListener("message", ({ data }) => apply(String(data)));
