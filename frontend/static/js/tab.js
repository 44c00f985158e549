/** What a tab says of its table while another one is looked at: its title and its icon. */

/** @typedef {{player: boolean, status: string, score: number | null, seq: number}} Told */

/** @param {string} title */
export function createTab(title) {
  const icon = document.querySelector('link[rel="icon"][href*="/img/sign."]');
  const plain = icon?.getAttribute("href") ?? "";
  /** How far the game was when the tab was last looked at. */
  let seen = -1;

  return {
    /** @param {Told} told */
    show({ player, status, score, seq }) {
      const away = document.hidden;
      if (!away || seen < 0) seen = seq;
      const turn = player && status === "playing" && away;
      const parts = [
        status === "won" && player ? gettext("Won") : turn ? gettext("Your move") : "",
        score === null ? "" : String(score),
        title,
      ];
      const text = parts.filter(Boolean).join(" · ");
      if (document.title !== text) document.title = text;
      const state = status === "won" && player ? "-won" : turn || seq > seen ? "-news" : "";
      const href = plain.replace("/sign.", `/sign${state}.`);
      if (icon && icon.getAttribute("href") !== href) icon.setAttribute("href", href);
    },
  };
}
