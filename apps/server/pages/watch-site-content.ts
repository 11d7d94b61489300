import type { Pool } from "pg";
import { startListening } from "../jobs/listening.ts";
import type { Logger } from "../monitoring/logger.ts";
import type { Closing } from "../process/shutdown.ts";

/**
 * Calls `forget` whenever what pages show of brands, texts, forms and the catalogue was changed, by whichever process
 * (tell_of_site_content.sql), and after each loss of the connection. While the database can't be heard, pages show a change
 * after a minute (page-cache.ts).
 */
export function watchSiteContent({
  pool,
  logger,
  closing,
  forget,
}: {
  pool: Pool;
  logger: Pick<Logger, "error">;
  closing: Closing[];
  forget(): void;
}): void {
  const listening = startListening({
    pool,
    channel: "site_content",
    onNotice: forget,
    onError: (error) => logger.error({ err: error }, "changes of brands, texts and the catalogue are noticed late"),
  });
  closing.push({ name: "the watch for changed content", close: () => listening.close() });
}
