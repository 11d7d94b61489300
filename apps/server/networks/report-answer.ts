import { recordReport } from "@farthing/core/cashback/record-report.server.ts";
import { markConfirmed } from "@farthing/core/networks/events.server.ts";
import type { ReportAnswer } from "@farthing/core/networks/provider.ts";
import { isRefusal } from "@farthing/core/networks/refused-row.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "../jobs/job-logger.ts";

export interface TakenIn {
  /** Ids of the answer that are stored. */
  known: Set<string>;
  /** The number of transactions that could not be stored for a reason that may pass. They are requested again. */
  failed: number;
  /** The number of transactions that can't be stored as they are. */
  refused: number;
}

/** Stores every transaction of a report's answer. One that fails is logged and holds up no other. */
export async function takeInAnswer(
  db: Db,
  { networkId, answer, now, logger }: { networkId: string; answer: ReportAnswer; now: Date; logger: JobLogger },
): Promise<TakenIn> {
  const taken: TakenIn = { known: new Set(), failed: 0, refused: 0 };
  for await (const { row, recorded } of recordReport(db, { networkId, rows: answer.transactions, now })) {
    const transaction = row.networkTransactionId;
    if (recorded.outcome === "failed") {
      taken[isRefusal(recorded.error) ? "refused" : "failed"] += 1;
      logger.error({ err: recorded.error, transaction }, "a reported transaction could not be stored");
      continue;
    }
    if (recorded.outcome === "new" && recorded.heldBecause)
      logger.warn({ transaction, heldBecause: recorded.heldBecause }, "a purchase could not be credited");
    taken.known.add(transaction);
  }
  for (const problem of answer.unreadable) logger.error({ problem }, "a row of a network's report could not be read");
  const ids = [...taken.known];
  for (let i = 0; i < ids.length; i += 1_000)
    await markConfirmed(db, { networkId, networkTransactionIds: ids.slice(i, i + 1_000), now });
  return taken;
}
