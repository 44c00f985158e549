// Says so when a page cannot be reached. Pages always come from the network: nothing is kept but the pages
// that say that there is no connection, one a language, and no request but a page's own is touched.

/**
 * What a service worker has and a page has not.
 * @typedef {Event & { waitUntil(work: Promise<unknown>): void }} Lasting
 * @typedef {Event & { request: Request, respondWith(answer: Promise<Response>): void }} Asked
 */

const release = new URL(self.location.href).searchParams.get("release") ?? "";
const KEPT = `offline-${release}`;
const LANGUAGES = ["tr", "pl", "ar"];
const scope = new URL("./", self.location.href);

/** @param {string} language "" for the one whose addresses name none */
const pageIn = (language) => new URL(language ? `${language}/offline/` : "offline/", scope);

/** Without cookies, so that the page is nobody's. */
async function keepPages() {
  const cache = await caches.open(KEPT);
  const pages = ["", ...LANGUAGES].map((language) => new Request(pageIn(language), { credentials: "omit" }));
  await cache.addAll(pages);
}

async function forgetOthers() {
  for (const name of await caches.keys())
    if (name.startsWith("offline-") && name !== KEPT) await caches.delete(name);
}

/** @param {Request} request */
async function answer(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const first = new URL(request.url).pathname.slice(scope.pathname.length).split("/")[0] ?? "";
    const cache = await caches.open(KEPT);
    const page = await cache.match(pageIn(LANGUAGES.includes(first) ? first : ""));
    if (!page) throw error;
    return page;
  }
}

self.addEventListener("install", (event) => /** @type {Lasting} */ (event).waitUntil(keepPages()));
self.addEventListener("activate", (event) => /** @type {Lasting} */ (event).waitUntil(forgetOthers()));
self.addEventListener("fetch", (event) => {
  const { request, respondWith } = /** @type {Asked} */ (event);
  if (request.mode === "navigate" && request.method === "GET") respondWith.call(event, answer(request));
});
