// The service worker of a brand's site (product.md M6, T5): the digital ID opens without a connection, and any other page says why it does not.
// It keeps two pages without a word about anybody, and what they are drawn with. Members' pages never pass through its cache.
// The server puts `const settings = { version }` above this (service-worker-routes.ts), so each build is a new worker.

// Here is the place for scripts of a customer-engagement provider (T5): the server knows the brand, so it can put
// importScripts("/…") above this line for the brands that have one.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const prefix = "farthing-";
const cacheName = prefix + settings.version;
const cardPage = "/digital-id";
const shellPage = "/digital-id/offline";
const offlinePage = "/offline";
const kept = [shellPage, offlinePage];

/** A till does not wait for a bad line: after this the card comes from the device. */
const cardPatienceMs = 4_000;

worker.addEventListener("install", (event) => event.waitUntil(fill().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(event, pathname));
  // What we do not keep is the browser's own affair, as if there were no worker.
  else if (pathname.startsWith("/assets/") && keptAssets?.has(pathname) !== false)
    event.respondWith(keptAsset(request));
});

/** Paths in the cache; null until they are read: a worker starts anew for each bout of work. @type {Set<string> | null} */
let keptAssets = null;
void readKeptAssets();

async function readKeptAssets() {
  const requests = await (await caches.open(cacheName)).keys();
  keptAssets = new Set(requests.map(({ url }) => new URL(url).pathname));
}

/** All or nothing: a version that can't be had whole is not installed, and the one before it stays. */
async function fill() {
  const cache = await caches.open(cacheName);
  const assets = new Set();
  for (const page of kept) {
    // As a stranger: nothing personal is in the answer.
    const response = await get(page, { credentials: "omit", cache: "no-store" });
    for (const address of assetsIn(withoutOtherPages(await response.clone().text()))) assets.add(address);
    await cache.put(page, response);
  }
  for (const address of assets) {
    const response = await get(address);
    if (address.endsWith(".css"))
      for (const inner of assetsIn(await response.clone().text())) {
        if (!assets.has(inner)) await cache.put(inner, await get(inner));
      }
    await cache.put(address, response);
  }
  await readKeptAssets();
}

/** @param {string} address @param {RequestInit} [init] */
async function get(address, init) {
  const response = await fetch(address, init);
  if (!response.ok || response.redirected) throw new Error(`${address} answered ${response.status}`);
  return response;
}

/** The router's list of pages with addresses like this one names their scripts too. @param {string} page */
function withoutOtherPages(page) {
  return page.replace(/__reactRouterManifest = \{[^]*?\n\};/, "");
}

/** Scripts, styles, faces and drawings that a page or a stylesheet names. @param {string} text */
function assetsIn(text) {
  return [...text.matchAll(/["'(](\/assets\/[\w./-]+\.(?:js|css|woff2|svg))["')]/g)].map(([, address = ""]) => address);
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith(prefix) && name !== cacheName) await caches.delete(name);
  // The browser asks for the page while the worker still wakes up.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** @param {FetchEvent} event @param {string} pathname */
async function openPage(event, pathname) {
  if (kept.includes(pathname)) return (await fromCache(pathname)) ?? fetch(event.request);
  const isCard = pathname === cardPage;
  try {
    const answer = fromNetwork(event);
    const response = await (isCard ? Promise.race([answer, tooLong()]) : answer);
    // The way to us is there, but nobody at its end: a card does not need us.
    if (isCard && response.status >= 502 && response.status <= 504) return Response.redirect(shellPage);
    return response;
  } catch {
    // No connection, or none worth the name.
    if (isCard) return Response.redirect(shellPage);
    return (await fromCache(offlinePage)) ?? Response.error();
  }
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function fromNetwork(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** @returns {Promise<never>} */
function tooLong() {
  return new Promise((_, reject) => setTimeout(() => reject(new Error("No answer in time")), cardPatienceMs));
}

/** @param {Request} request */
async function keptAsset(request) {
  return (await fromCache(request.url)) ?? fetch(request);
}

/** @param {string} address */
async function fromCache(address) {
  return (await caches.open(cacheName)).match(address, { ignoreVary: true });
}
