/** The few things asked of the document. */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string>} [attributes] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** A drawing of the sprite. @param {string} href @param {string} box */
export function draw(href, box) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", box);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", href);
  svg.append(use);
  return { svg, use };
}

/** @param {string} name @param {Record<string, string | number>} attributes @returns {SVGElement} */
export function shape(name, attributes) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  return element;
}

/** @param {string} id @returns {HTMLElement} */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element;
}

/** Writes only what differs, so that nothing is read out or laid out again.
 * @param {Node} node @param {string} text */
export function setText(node, text) {
  if (node.textContent === text) return;
  const { firstChild } = node;
  // A text that changes costs less than one that goes and one that comes.
  if (firstChild instanceof Text && firstChild === node.lastChild) firstChild.data = text;
  else node.textContent = text;
}

/** @param {Element} element @param {string} name @param {string | null} value */
export function setAttribute(element, name, value) {
  if (value === null) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Puts an element at its place among its siblings, its focus kept.
 * @param {Element} parent @param {HTMLElement} element @param {Node | null} before */
export function settleIn(parent, element, before) {
  if (element.parentElement === parent && element.nextSibling === before) return;
  if (parent.moveBefore && element.isConnected) {
    parent.moveBefore(element, before);
    return;
  }
  const focused = document.activeElement === element;
  parent.insertBefore(element, before);
  if (focused) element.focus({ preventScroll: true });
}
