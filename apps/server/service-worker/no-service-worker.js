// Replaces the worker in every browser that has one, empties its cache and removes itself (docs/configuration.md,
// SERVICE_WORKER). Stored cards stay on their devices; they open with a connection.
const leaver = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

leaver.addEventListener("install", (event) => event.waitUntil(leaver.skipWaiting()));
leaver.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      for (const name of await caches.keys()) if (name.startsWith("farthing-")) await caches.delete(name);
      await leaver.registration.unregister();
    })(),
  ),
);
