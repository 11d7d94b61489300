// The service worker of a brand's site (M6, G6, T5): the digital ID and gift cards that this device keeps open without a
// connection, and any other page says why it does not. It stores three pages without personal data and their assets. Members' pages are never stored. The server
// prepends `const settings = { version, scripts, engagement }` (service-worker-routes.ts), so each build is a new worker.

const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

const PREFIX = "farthing-";
const cacheName = PREFIX + settings.version;
const CARD_PAGE = "/digital-id";
const SHELL_PAGE = "/digital-id/offline";
const WALLET_PAGE = "/money/gift-cards";
const WALLET_SHELL_PAGE = "/money/gift-cards/offline";
const OFFLINE_PAGE = "/offline";
const kept = [SHELL_PAGE, WALLET_SHELL_PAGE, OFFLINE_PAGE];

/** The databases of apps/site/app/device-store.ts that keep cards, and the store in each. */
const CARD_DATABASE = "farthing-digital-id";
const WALLET_DATABASE = "farthing-gift-cards";
const STORE_NAME = "cards";

/** After this long without an answer a card that the device keeps comes from there: a till can't wait for a bad connection. */
const CARD_TIMEOUT_MS = 4_000;

worker.addEventListener("install", (event) => event.waitUntil(fill().then(() => worker.skipWaiting())));
worker.addEventListener("activate", (event) => event.waitUntil(takeOver()));

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== worker.location.origin) return;
  if (request.mode === "navigate") event.respondWith(openPage(event, pathname));
  // Assets that are not stored are left to the browser.
  else if (pathname.startsWith("/assets/") && keptAssets?.has(pathname) !== false)
    event.respondWith(keptAsset(request));
});

/** Paths in the cache; null until they are read, as a worker restarts often. @type {Set<string> | null} */
let keptAssets = null;
void readKeptAssets();

async function readKeptAssets() {
  const requests = await (await caches.open(cacheName)).keys();
  keptAssets = new Set(requests.map(({ url }) => new URL(url).pathname));
}

/** All or nothing: a version that can't be fetched whole is not installed, and the previous one stays. */
async function fill() {
  const cache = await caches.open(cacheName);
  const assets = new Set();
  for (const page of kept) {
    // Without credentials, so that the answer holds nothing personal.
    const response = await get(page, { credentials: "omit", cache: "no-store" });
    const text = await response.clone().text();
    for (const address of [...assetsIn(text), ...scriptsOf(text)]) assets.add(address);
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

/** Returns what the script of a page loads: its entry and, for islands, what wakes them. @param {string} page */
function scriptsOf(page) {
  const { entry, hydration, islands } = settings.scripts;
  const names = [...page.matchAll(/<site-island name="([\w-]+)"/g)].map(([, name = ""]) => name);
  return [...entry, ...(names.length > 0 ? hydration : []), ...names.flatMap((name) => islands[name] ?? [])];
}

/** Returns the scripts, styles, fonts and drawings that a page or a stylesheet names. @param {string} text */
function assetsIn(text) {
  return [...text.matchAll(/["'(](\/assets\/[\w./-]+\.(?:js|css|woff2|svg))["')]/g)].map(([, address = ""]) => address);
}

async function takeOver() {
  for (const name of await caches.keys()) if (name.startsWith(PREFIX) && name !== cacheName) await caches.delete(name);
  // The browser requests the page while the worker is still starting.
  await worker.registration.navigationPreload?.enable();
  await worker.clients.claim();
}

/** @param {FetchEvent} event @param {string} pathname */
async function openPage(event, pathname) {
  if (kept.includes(pathname)) return (await fromCache(pathname)) ?? fetch(event.request);
  const shell = shellOf(pathname);
  try {
    const answer = fromNetwork(event);
    const response = await (shell ? Promise.race([answer, tooLong(pathname)]) : answer);
    // The proxy answers, but the server does not: a card does not need it.
    if (shell && response.status >= 502 && response.status <= 504) return Response.redirect(shell);
    return response;
  } catch {
    // No connection, or one that is too slow.
    if (shell) return Response.redirect(shell);
    return (await fromCache(OFFLINE_PAGE)) ?? Response.error();
  }
}

/** Returns the page that shows the same without a connection; null: there is none. @param {string} pathname */
function shellOf(pathname) {
  if (pathname === CARD_PAGE) return SHELL_PAGE;
  // Cards, but not what is done with them.
  return pathname === WALLET_PAGE || /^\/money\/gift-cards\/[^/]+$/.test(pathname) ? WALLET_SHELL_PAGE : null;
}

/** @param {FetchEvent} event @returns {Promise<Response>} */
async function fromNetwork(event) {
  return (await event.preloadResponse) ?? fetch(event.request);
}

/** Rejects once the network is too slow for a page that the device shows too. What the device does not keep, only the server can show. @param {string} pathname @returns {Promise<never>} */
async function tooLong(pathname) {
  await new Promise((resolve) => setTimeout(resolve, CARD_TIMEOUT_MS));
  if (await isKept(pathname).catch(() => false)) throw new Error("No answer in time");
  return new Promise(() => {});
}

/** Returns whether this device keeps what a page shows: a card, or for the wallet's own page any. @param {string} pathname @returns {Promise<boolean>} */
async function isKept(pathname) {
  const isWallet = pathname !== CARD_PAGE;
  const publicId = isWallet && pathname !== WALLET_PAGE ? pathname.slice(WALLET_PAGE.length + 1) : undefined;
  return (await countKept(isWallet ? WALLET_DATABASE : CARD_DATABASE, publicId)) > 0;
}

/** @param {string} database @param {string | undefined} key @returns {Promise<number>} */
function countKept(database, key) {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(database);
    opening.onerror = () => reject(opening.error);
    // Nothing was ever kept: the database is not made for looking.
    opening.onupgradeneeded = () => opening.transaction?.abort();
    opening.onsuccess = () => {
      const count = opening.result.transaction(STORE_NAME).objectStore(STORE_NAME).count(key);
      count.onsuccess = () => resolve(count.result);
      count.onerror = () => reject(count.error);
      opening.result.close();
    };
  });
}

/** @param {Request} request */
async function keptAsset(request) {
  return (await fromCache(request.url)) ?? fetch(request);
}

/** @param {string} address */
async function fromCache(address) {
  return (await caches.open(cacheName)).match(address, { ignoreVary: true });
}

// The brand's customer-engagement provider (T5), where the person has agreed to messages: the server leaves the address out of everybody else's worker.
// Last, so that no listener of the provider's comes before ours; and a provider that can't be reached costs messages, not the digital ID.
if (settings.engagement !== null) {
  try {
    importScripts(settings.engagement);
  } catch (error) {
    console.error("The script for messages could not be loaded", error);
  }
}
