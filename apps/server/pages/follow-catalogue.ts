import type { Pool } from "pg";
import { startListening } from "../jobs/listening.ts";

/**
 * Clears caches of the catalogue when it changes, whichever process has changed it: an operator who publishes an offer sees it
 * on the site at once. While the database can't be heard, pages show a change after a minute, as they did before (page-cache.ts).
 */
export function followCatalogue({
  pool,
  caches,
  onError,
}: {
  /** One of its connections is kept. */
  pool: Pool;
  /** In the order in which they read each other: what pages are made of comes before pages. */
  caches: readonly { clear(): void }[];
  onError(error: unknown): void;
}): { close(): Promise<void> } {
  return startListening({
    pool,
    channel: "catalogue",
    onNotice: () => {
      for (const cache of caches) cache.clear();
    },
    onError,
  });
}
