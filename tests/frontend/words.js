/** Stands for the catalogue that the page brings: English, as it is written. */
globalThis.gettext = (text) => text;
globalThis.ngettext = (one, many, count) => (count === 1 ? one : many);
globalThis.interpolate = (pattern, values) =>
  pattern.replace(/%\((\w+)\)s/g, (_, name) => String(values[name]));
