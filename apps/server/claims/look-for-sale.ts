import { findSaleOfClaim, planNextLook } from "@farthing/core/claims/sale-of-claim.server.ts";
import type { Lease } from "@farthing/core/due-work/due-work.server.ts";
import type { NetworkProvider } from "@farthing/core/networks/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import type { JobLogger } from "../jobs/job-logger.ts";
import { takeInAnswer } from "../networks/report-answer.ts";

/**
 * Asks the network's report for the sale of an accepted claim (C7): by its id, else by the days around the purchase, which the report's own passes may
 * not reach back to. What it lists is booked as by any other reading.
 * @throws NetworkUnavailableError
 */
export async function lookForSale(
  { db, logger, now }: { db: Db; logger: JobLogger; now(): Date },
  { lease, provider }: { lease: Lease; provider: NetworkProvider | null },
): Promise<void> {
  const sale = await findSaleOfClaim(db, { id: lease.id, now: now() });
  if (!sale) return;
  const { networkId, networkTransactionId: id, window, decidedAt } = sale;
  if (provider) {
    const answer = id === null ? null : await provider.fetchTransactionsById([id]);
    if (answer) await takeInAnswer(db, { networkId, answer, now: now(), logger });
    if (!answer?.transactions.length && provider.passes.includes("transaction"))
      for await (const page of provider.fetchTransactions({ pass: "transaction", ...window }))
        await takeInAnswer(db, { networkId, answer: page, now: now(), logger });
  }
  await planNextLook(db, lease, { decidedAt, now: now() });
}
