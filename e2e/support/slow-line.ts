import type { BrowserContext } from "@playwright/test";

/**
 * Makes the line of the service worker slow: the time that it waits for a page is over at once, and the server's answer comes once the worker has
 * looked what this device keeps, or never.
 */
export async function slowLine(context: BrowserContext, { answers }: { answers: boolean }): Promise<void> {
  for (const worker of context.serviceWorkers())
    await worker.evaluate(async (isAnswered) => {
      const scope = globalThis as typeof globalThis & {
        registration: ServiceWorkerRegistration;
        fast?: typeof fetch;
      };
      const fast = (scope.fast ??= scope.fetch);
      await scope.registration.navigationPreload.disable();
      scope.setTimeout = ((act: () => void) => {
        act();
        return 0;
      }) as typeof setTimeout;
      // A database is opened for one after the other: once it has been opened for us three times, the worker has looked.
      const look = (name: string) =>
        new Promise<void>((resolve) => {
          const opening = indexedDB.open(name);
          opening.onupgradeneeded = () => opening.transaction?.abort();
          opening.onerror = () => resolve();
          opening.onsuccess = () => {
            const count = opening.result.transaction("cards").objectStore("cards").count();
            count.onsuccess = () => resolve();
            opening.result.close();
          };
        });
      scope.fetch = async (...asked: Parameters<typeof fetch>) => {
        if (!isAnswered) await new Promise(() => {});
        for (let looks = 0; looks < 3; looks += 1)
          for (const name of ["farthing-gift-cards", "farthing-digital-id"]) await look(name);
        return fast(...asked);
      };
    }, answers);
}
