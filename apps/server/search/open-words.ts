import { keepWords, StemsDifferError } from "@farthing/core/search/kept-words.server.ts";
import type { WordReader } from "@farthing/core/search/words.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { startLoop } from "../jobs/loop.ts";
import type { Closing } from "../process/shutdown.ts";

/** How long the words of searches may be older than an indexing whose notice is lost. Looking for another revision reads one row. */
const LOOK_MS = 5_000;

export interface OpenedWords {
  read: WordReader;
  /** Looks at once for another revision: the database has told of a change. */
  look(): void;
}

/** Keeps the words of searches in this process, and looks every few seconds whether the catalogue was indexed again. */
export function openWords({ db, logger, closing }: { db: Db; logger: JobLogger; closing: Closing[] }): OpenedWords {
  const words = keepWords(db);
  const loop = startLoop({
    onError: (error) => logger.error({ err: error }, "the words of searches could not be loaded and will be again"),
    async round() {
      try {
        await words.refresh();
      } catch (error) {
        if (!(error instanceof StemsDifferError)) throw error;
        logger.warn({ problem: error.message }, "searches ask the database for their words, which takes longer");
      }
      return LOOK_MS;
    },
  });
  closing.push({ name: "words of searches", close: () => loop.close() });
  return { read: words.read, look: () => loop.wake() };
}
