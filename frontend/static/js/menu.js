/**
 * The buttons round the table and the dialogs behind them. Every act has one name, wherever it is
 * pressed: in the caption, in the sheet of the rest, or after the end.
 */

import { byId } from "./dom.js";

/** @typedef {Record<string, () => void>} Deeds */

/** @param {HTMLElement} place @param {Deeds} deeds what is the page's own; dialogs open by themselves */
export function listenToButtons(place, deeds) {
  /** @param {string} name */
  const dialog = (name) => document.getElementById(`${name}-dialog`);

  /** @param {string} name */
  function act(name) {
    const own = deeds[name];
    if (own) own();
    else open(name);
  }

  /** @param {string} name */
  function open(name) {
    const element = dialog(name);
    if (!(element instanceof HTMLDialogElement) || element.open) return;
    for (const other of document.querySelectorAll("dialog[open]")) {
      if (other instanceof HTMLDialogElement) other.close();
    }
    element.showModal();
  }

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element)) return;
    // A click beside an open sheet closes it.
    if (event.target instanceof HTMLDialogElement) {
      const box = event.target.getBoundingClientRect();
      const inside =
        event.clientX >= box.left &&
        event.clientX <= box.right &&
        event.clientY >= box.top &&
        event.clientY <= box.bottom;
      if (!inside && event.detail > 0) event.target.close();
      return;
    }
    const button = event.target.closest("button[data-act]");
    if (!(button instanceof HTMLElement)) return;
    const sheet = button.closest("dialog");
    const name = button.dataset.act ?? "";
    if (!place.contains(button) && !sheet) return;
    if (name !== "more") sheet?.close();
    if (name !== "close") act(name);
  });
  return act;
}

/** Shares a game, or copies it: how it went, if that is told, and its address.
 * @param {string} title @param {string} text @param {string} address @returns {Promise<string>} what to say */
export async function share(title, text, address) {
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
      await navigator.share({ title, text, url: address });
      return "";
    }
    return await copy(text ? `${text}\n${address}` : address);
  } catch {
    return "";
  }
}

/** @param {string} text @returns {Promise<string>} what to say */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return text;
  }
  return gettext("Copied.");
}

export function fullScreen() {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void document.documentElement.requestFullscreen?.().catch(() => undefined);
}

/** Sends the form that starts the next game. @param {string} name of its dialog */
export function submit(name) {
  const form = byId(`${name}-dialog`).querySelector("form");
  form?.requestSubmit(form.querySelector("button"));
}
