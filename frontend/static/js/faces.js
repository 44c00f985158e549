/**
 * The faces of the cards. The sprite puts them together by `<use>`, which keeps it small; but a browser
 * makes a tree apart for every `<use>`, and makes it anew whenever the card changes its place. So a face
 * is put together once, of plain shapes, and copied.
 */

const SVG = "http://www.w3.org/2000/svg";
const AGAIN_MS = 2000;

/** @param {string} address of the sprite */
export function facesOf(address) {
  /** @type {Document | null} */
  let sprite = null;
  /** @type {Map<string, DocumentFragment>} */
  const built = new Map();
  /** What is to be drawn when the sprite has come. @type {Map<SVGElement, string>} */
  const waiting = new Map();
  void load();

  async function load() {
    try {
      const answer = await fetch(address);
      if (!answer.ok) throw new Error(`the faces did not come: ${answer.status}`);
      sprite = new DOMParser().parseFromString(await answer.text(), "image/svg+xml");
    } catch {
      setTimeout(load, AGAIN_MS);
      return;
    }
    for (const [svg, name] of waiting) draw(svg, name);
    waiting.clear();
  }

  /** @param {SVGElement} svg @param {string} name a symbol of the sprite */
  function draw(svg, name) {
    svg.dataset.face = name;
    if (sprite) svg.replaceChildren(face(sprite, name).cloneNode(true));
    else waiting.set(svg, name);
  }

  /** @param {Document} from @param {string} name */
  function face(from, name) {
    const known = built.get(name);
    if (known) return known;
    const made = document.createDocumentFragment();
    for (const shape of from.getElementById(name)?.children ?? []) made.append(plain(from, shape));
    built.set(name, made);
    return made;
  }

  return { draw };
}

/** A shape; where it is a `<use>`, what that stands for.
 * @param {Document} from @param {Element} shape @returns {Element} */
function plain(from, shape) {
  const used = from.getElementById(shape.getAttribute("href")?.slice(1) ?? "");
  if (shape.localName !== "use" || !used) return document.importNode(shape, true);
  const [only] = used.children;
  // A pen's stroke may begin outside its box, and is cut by it. All else lies within, and needs no box.
  const boxed = shape.hasAttribute("stroke-width");
  const placed = used.localName === "symbol" && only && !boxed;
  const made = placed ? document.importNode(only, true) : document.createElementNS(SVG, boxed ? "svg" : "g");
  const { x, y, width, height, href, id, ...others } = attributes(used, shape);
  if (placed) {
    const scale = Number(width) / Number(others.viewBox?.split(" ")[2]);
    others.transform = `${others.transform ?? ""} translate(${x} ${y}) scale(${scale})`;
    delete others.viewBox;
  } else {
    if (boxed) Object.assign(others, { x, y, width, height });
    for (const child of used.children) made.append(plain(from, child));
  }
  for (const [name, value] of Object.entries(others)) made.setAttribute(name, value);
  return made;
}

/** @param {...Element} elements @returns {Record<string, string>} */
const attributes = (...elements) =>
  Object.fromEntries(elements.flatMap((it) => [...it.attributes].map(({ name, value }) => [name, value])));
