import { findThresholdFaults } from "@farthing/core/thresholds/queries.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { Logger } from "../monitoring/logger.ts";

export interface ThresholdWatch {
  /** Looks again; calls while it looks are one more look. */
  look(): void;
  /** Resolves when no look is under way. */
  settled(): Promise<void>;
}

/**
 * Logs stored thresholds that can't be used, each once: somebody has written them past the admin. Rules pass over them
 * (threshold_value.sql), so that no page breaks.
 */
export function openThresholdWatch({ db, logger }: { db: Db; logger: Pick<Logger, "warn" | "error"> }): ThresholdWatch {
  const told = new Set<string>();
  let looking: Promise<void> | null = null;
  let isAskedAgain = false;

  async function lookUntilQuiet(): Promise<void> {
    do {
      isAskedAgain = false;
      try {
        const faults = await findThresholdFaults(db);
        for (const { key, brand, found, because } of faults) {
          const fault = JSON.stringify([key, brand, found]);
          if (told.has(fault)) continue;
          told.add(fault);
          logger.warn(
            { threshold: key, brand, found, because },
            "a stored threshold can't be used: the next best holds",
          );
        }
      } catch (error) {
        logger.error({ err: error }, "thresholds could not be checked");
      }
    } while (isAskedAgain);
    looking = null;
  }

  return {
    look() {
      if (looking) isAskedAgain = true;
      else looking = lookUntilQuiet();
    },
    async settled() {
      await looking;
    },
  };
}
