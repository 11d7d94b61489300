import type { Db, Trx } from "@farthing/db/client.ts";
import { findClaimedSales } from "../claimed-orders/claimed-orders.server.ts";
import { eachApart } from "../due-work/each-apart.server.ts";
import type { ReportedTransaction } from "../networks/network-transaction.ts";
import { findReconsiderable, reconsiderHeld } from "../networks/operations.server.ts";
import { findDueByCalendar, settleByCalendar, storeRows, type DueByCalendar } from "../networks/rows.server.ts";
import { storeRevisions, type StoredRevision } from "../networks/store-revisions.server.ts";
import type { HeldReason } from "../networks/stored-transaction.ts";
import type { CashbackChangeKind } from "./rules.ts";
import { settleTransactions } from "./settle-transactions.server.ts";

export interface RecordedTransaction {
  /** `stale` and `unchanged` changed nothing. `waiting`: a correction is stored until its original arrives. */
  outcome: "new" | "changed" | "unchanged" | "stale" | "waiting";
  /** Why no member is credited; null where one is. */
  heldBecause: HeldReason | null;
  /** What happened to the member's cashback, in order. */
  changes: CashbackChangeKind[];
}

/** As recordReport, for one row of a report. @throws what keeps it from being stored */
export async function recordReportedTransaction(
  db: Db,
  { networkId, reported, now }: { networkId: string; reported: ReportedTransaction; now: Date },
): Promise<RecordedTransaction> {
  return db
    .transaction()
    .execute(async (trx) => (await recordRows(trx, { networkId, rows: [reported], now })).get(reported)!);
}

/**
 * Stores rows of a report and updates their members' cashback and the ledger (C3), within the caller's transaction. Rows of one sale are different
 * rows of a network that corrects by rows: they are one change. Rows of several sales need the lock of report-sets.ts.
 */
export async function recordRows(
  trx: Trx,
  { networkId, rows, now }: { networkId: string; rows: readonly ReportedTransaction[]; now: Date },
): Promise<Map<ReportedTransaction, RecordedTransaction>> {
  const corrected = rows.filter((row) => row.correction);
  const whole = rows.filter((row) => !row.correction);
  const sums = corrected.length > 0 ? await storeRows(trx, { networkId, rows: corrected, now }) : [];
  const revisions = whole.map((reported) => ({ reported }));
  const stored = revisions.length > 0 ? await storeRevisions(trx, { networkId, revisions, now }) : [];
  const outcomes = [...sums, ...stored];
  const changes = await settleRevisions(trx, [...new Set(outcomes.filter((outcome) => outcome !== null))], now);
  return new Map(
    [...corrected, ...whole].map((row, at) => {
      const outcome = outcomes[at]!;
      return [
        row,
        outcome
          ? {
              outcome: outcome.outcome,
              heldBecause: outcome.transaction.held_because as HeldReason | null,
              changes: changes.get(outcome.transaction.id) ?? [],
            }
          : { outcome: "waiting", heldBecause: null, changes: [] },
      ];
    }),
  );
}

/**
 * Approves and pays the sales of networks that report no status, on the dates of their calendar. Returns the number of sales that changed.
 * @throws AggregateError once all others are settled, if some could not be
 */
export async function settleDueByCalendar(
  db: Db,
  { now, batch = 500 }: { now: Date; batch?: number },
): Promise<number> {
  const settle = (due: DueByCalendar) =>
    db.transaction().execute(async (trx) => {
      const stored = await settleByCalendar(trx, { ...due, now });
      if (!stored) return false;
      await settleRevisions(trx, [stored], now);
      return stored.outcome === "changed";
    });
  return eachApart(findDueByCalendar(db, { now, batch }), settle, { nameOf: ({ id }) => `Sale ${id}` });
}

/** Settles the revisions that are news and credited. Returns the changes by the transaction's id. */
async function settleRevisions(
  trx: Trx,
  stored: readonly StoredRevision[],
  now: Date,
): Promise<Map<string, CashbackChangeKind[]>> {
  const news = stored.filter(
    ({ outcome, transaction }) => transaction.held_because === null && (outcome === "new" || outcome === "changed"),
  );
  return settleTransactions(
    trx,
    news.map(({ transaction }) => transaction),
    now,
  );
}

/**
 * Credits held transactions whose programme or exchange rate has become known. Returns the number credited.
 * @throws AggregateError once all others are credited, if some could not be
 */
export async function creditHeldTransactions(
  db: Db,
  { now, batch = 500 }: { now: Date; batch?: number },
): Promise<number> {
  return creditHeld(db, findReconsiderable(db, { batch }), now);
}

/** Credits held sales without a click whose order a claim with the network names (C7). Returns the number credited. @throws as creditHeldTransactions does */
export async function creditClaimedSales(db: Db, { now, batch = 200 }: { now: Date; batch?: number }): Promise<number> {
  return creditHeld(db, findClaimedSales(db, { batch }), now);
}

async function creditHeld(db: Db, ids: AsyncIterable<string>, now: Date): Promise<number> {
  const credit = (id: string) =>
    db.transaction().execute(async (trx) => {
      const transaction = await reconsiderHeld(trx, { transactionId: id, now });
      if (!transaction) return false;
      await settleTransactions(trx, [transaction], now);
      return true;
    });
  return eachApart(ids, credit, { nameOf: (id) => `Sale ${id}` });
}
