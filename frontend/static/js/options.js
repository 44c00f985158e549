/** What a player likes, kept in this browser. */

const KEY = "tableau.options";

export const options = {
  /** a double click sends a card to its best place */
  doubles: true,
  /** a dropped run goes to its best place, wherever it was let go */
  placement: false,
  /** single letters are keys */
  letters: true,
  time: true,
  crowd: true,
  /** how an ended game came out, before one has seen it */
  result: true,
  /** four colours */
  colours: false,
};

/** @typedef {keyof typeof options} Name */

try {
  const kept = JSON.parse(localStorage.getItem(KEY) ?? "{}");
  for (const name of /** @type {Name[]} */ (Object.keys(options))) {
    if (typeof kept[name] === "boolean") options[name] = kept[name];
  }
} catch {
  // Storage may be shut off, or hold something else: then everything is as it comes.
}

/** @param {HTMLElement} dialog with a box for each option @param {() => void} onChange */
export function bindOptions(dialog, onChange) {
  for (const box of dialog.querySelectorAll("input[type=checkbox]")) {
    if (!(box instanceof HTMLInputElement)) continue;
    const name = /** @type {Name} */ (box.name);
    box.checked = options[name];
    box.addEventListener("change", () => {
      choose(name, box.checked);
      onChange();
    });
  }
  apply();
}

/** @param {Name} name @param {boolean} value */
export function choose(name, value) {
  options[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify(options));
  } catch {
    // It holds for this page then.
  }
  apply();
}

function apply() {
  const { dataset } = document.documentElement;
  dataset.colours = options.colours ? "four" : "two";
  dataset.time = options.time ? "shown" : "hidden";
  dataset.result = options.result ? "shown" : "hidden";
  dataset.crowd = options.crowd ? "shown" : "hidden";
}
