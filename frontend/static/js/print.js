// On paper a game is what can be read without a script: its cards, its moves, and how it stands by now.

/** The part of a page that stands there for those without a script. @param {Document} page */
function readable(page) {
  return page.querySelector("#plain")?.textContent ?? "";
}

/** The page as the server writes it now; printing does not wait, so neither may this. */
function newest() {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", location.href, false);
    request.send();
  } catch {
    return "";
  }
  return request.status === 200 ? request.responseText : "";
}

/** @param {string} text */
const parsed = (text) => new DOMParser().parseFromString(text, "text/html");

const paper = document.createElement("div");
paper.className = "printed";

window.addEventListener("beforeprint", () => {
  // Without a script, as this parser is, the part is made of elements and no longer a text.
  const now = parsed(newest()).querySelector("#plain");
  paper.replaceChildren(...(now ?? parsed(readable(document)).body).childNodes);
  document.body.prepend(paper);
});
window.addEventListener("afterprint", () => paper.remove());
