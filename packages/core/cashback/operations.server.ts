import type { Db, Trx } from "@farthing/db/client.ts";
import { rateSnapshotSchema, type RateSnapshot } from "../clicks/rate-snapshot.ts";
import { isDeclineReason } from "../networks/decline-reason.ts";
import type { NetworkStatus, ReportedTransaction, TransactionPart } from "../networks/network-transaction.ts";
import {
  reconsiderHeld,
  storeRevision,
  type HeldReason,
  type StoredRevision,
  type StoredTransaction,
} from "../networks/operations.server.ts";
import { findDueByCalendar, settleByCalendar, storeRow } from "../networks/rows.server.ts";
import { changeEntry, insertEntry, lockEntries, type CashbackEntry } from "./entries.server.ts";
import { workOutCashback } from "./earnings.ts";
import { reviewExpectation } from "./expectations.server.ts";
import {
  planCashback,
  type CashbackAmounts,
  type CashbackChangeKind,
  type CashbackNow,
  type CashbackStep,
} from "./rules.ts";

export interface RecordedTransaction {
  /** `stale` and `unchanged` changed nothing. `waiting`: a correction is stored until its original arrives. */
  outcome: "new" | "changed" | "unchanged" | "stale" | "waiting";
  /** Why no member is credited; null where one is. */
  heldBecause: HeldReason | null;
  /** What happened to the member's cashback, in order. */
  changes: CashbackChangeKind[];
}

/**
 * Stores what a network's report says about one transaction and updates the member's cashback and the ledger, in one database transaction (C3).
 * Idempotent, in any order and from concurrent processes. Call it only with a row of the report: a push is a hint and never moves money.
 */
export async function recordReportedTransaction(
  db: Db,
  { networkId, reported, now }: { networkId: string; reported: ReportedTransaction; now: Date },
): Promise<RecordedTransaction> {
  return db.transaction().execute(async (trx) => {
    const stored = reported.correction
      ? await storeRow(trx, { networkId, reported, now })
      : await storeRevision(trx, { networkId, reported, now });
    return stored ? settleRevision(trx, stored, now) : { outcome: "waiting", heldBecause: null, changes: [] };
  });
}

/** Approves and pays the sales of networks that report no status, on the dates of their calendar. Returns the number of sales that changed. */
export async function settleDueByCalendar(
  db: Db,
  { now, limit = 500 }: { now: Date; limit?: number },
): Promise<number> {
  let changed = 0;
  for (const due of await findDueByCalendar(db, { now, limit })) {
    changed += await db.transaction().execute(async (trx) => {
      const stored = await settleByCalendar(trx, { ...due, now });
      if (!stored) return 0;
      await settleRevision(trx, stored, now);
      return stored.outcome === "changed" ? 1 : 0;
    });
  }
  return changed;
}

async function settleRevision(
  trx: Trx,
  { outcome, transaction }: StoredRevision,
  now: Date,
): Promise<RecordedTransaction> {
  const heldBecause = transaction.held_because as HeldReason | null;
  const changes =
    heldBecause === null && (outcome === "new" || outcome === "changed") ? await settle(trx, transaction, now) : [];
  return { outcome, heldBecause, changes };
}

/** Credits held transactions whose programme or exchange rate has become known. Returns the number credited. */
export async function creditHeldTransactions(
  db: Db,
  { now, limit = 500 }: { now: Date; limit?: number },
): Promise<number> {
  const held = await db
    .selectFrom("network_transactions")
    .select("id")
    .where("held_because", "in", ["unknown_programme", "no_exchange_rate"] satisfies HeldReason[])
    .orderBy("updated_at")
    .limit(limit)
    .execute();
  let credited = 0;
  for (const { id } of held) {
    credited += await db.transaction().execute(async (trx) => {
      const transaction = await reconsiderHeld(trx, { transactionId: id, now });
      if (!transaction) return 0;
      await settle(trx, transaction, now);
      return 1;
    });
  }
  return credited;
}

/** Brings the member's cashback in line with the transaction, which is locked. */
async function settle(trx: Trx, transaction: StoredTransaction, now: Date): Promise<CashbackChangeKind[]> {
  const click = await trx
    .selectFrom("clicks")
    .selectAll()
    .where("id", "=", transaction.click_id!)
    .executeTakeFirstOrThrow();
  const snapshot = rateSnapshotSchema.parse(click.rate_snapshot);
  const amounts = workOutCashback(
    {
      currency: transaction.currency,
      saleMinor: transaction.sale_minor,
      commissionMinor: transaction.commission_minor,
      parts: transaction.parts as unknown as TransactionPart[],
    },
    snapshot,
    transaction.exchange_rate_micros!,
  );
  const entries = await lockEntries(trx, { networkTransactionId: transaction.id });
  let purchase = entries.find((entry) => entry.entry_kind === "purchase") ?? null;
  const steps = planCashback(
    purchase && nowOf(purchase),
    sumOf(entries.filter((entry) => entry.entry_kind === "correction")),
    {
      ...amounts,
      status: transaction.status as NetworkStatus,
      paidToPublisher: transaction.paid_to_publisher,
      reason: reasonOf(transaction.reason_code),
    },
  );
  for (const step of steps) {
    if (step.change === "tracked" || step.change === "corrected") {
      const made = await insertEntry(trx, {
        ...ownersOf(transaction, click),
        ...expectedDates(transaction.purchased_at, snapshot),
        step,
        now,
      });
      if (step.change === "tracked") purchase = made;
    } else purchase = await changeEntry(trx, { entry: purchase!, step, now });
  }
  // Also without a step: the network may have set the day on which it decides.
  if (purchase) await reviewExpectation(trx, { entryId: purchase.id, now });
  return steps.map((step) => step.change);
}

function ownersOf(
  transaction: StoredTransaction,
  click: { id: string; brand_id: string; member_id: string; retailer_id: string },
) {
  return {
    brandId: click.brand_id,
    memberId: click.member_id,
    retailerId: click.retailer_id,
    clickId: click.id,
    networkId: transaction.network_id,
    networkTransactionId: transaction.id,
    purchasedAt: transaction.purchased_at,
  };
}

/** Returns when the purchase should be confirmed, as promised at the click; null where confirmation depends on a journey or a stay. */
function expectedDates(
  purchasedAt: Date,
  { tracking }: RateSnapshot,
): { confirmExpected: { from: Date; to: Date } | null } {
  if (tracking.confirmsAfter !== "purchase") return { confirmExpected: null };
  const after = (days: number) => new Date(purchasedAt.getTime() + days * 86_400_000);
  return {
    confirmExpected: { from: after(tracking.confirmsWithinDays.min), to: after(tracking.confirmsWithinDays.max) },
  };
}

function nowOf(entry: CashbackEntry): CashbackNow {
  return { state: entry.state, reason: reasonOf(entry.reason_code), ...amountsOf(entry) };
}

function reasonOf(code: string | null) {
  return code !== null && isDeclineReason(code) ? code : null;
}

function amountsOf(entry: CashbackEntry): CashbackAmounts {
  return { salePence: entry.sale_pence, cashbackPence: entry.cashback_pence, commissionPence: entry.commission_pence };
}

function sumOf(entries: readonly CashbackEntry[]): CashbackAmounts {
  return entries.map(amountsOf).reduce(
    (sum, one) => ({
      salePence: sum.salePence + one.salePence,
      cashbackPence: sum.cashbackPence + one.cashbackPence,
      commissionPence: sum.commissionPence + one.commissionPence,
    }),
    { salePence: 0, cashbackPence: 0, commissionPence: 0 },
  );
}

export type PaidMember =
  | { outcome: "paid"; paidPence: number; entries: number }
  | { outcome: "nothing-to-pay"; balancePence: number };

/**
 * Pays a member everything that is payable, corrections included (C3, C6). A balance of zero or less pays nothing: what a retailer takes back after a
 * payment is deducted from what the member earns next, and never claimed from the member.
 */
export async function payMember(db: Db, { memberId, now }: { memberId: string; now: Date }): Promise<PaidMember> {
  return db.transaction().execute((trx) => payMemberWithin(trx, { memberId, now }));
}

/** As payMember, in the caller's transaction. */
export async function payMemberWithin(
  trx: Trx,
  { memberId, now }: { memberId: string; now: Date },
): Promise<PaidMember> {
  const entries = await lockEntries(trx, { payableTo: memberId });
  const paidPence = sumOf(entries).cashbackPence;
  if (paidPence <= 0) return { outcome: "nothing-to-pay", balancePence: paidPence };
  for (const entry of entries) {
    const step: CashbackStep = {
      change: "paid",
      state: "paid",
      ...amountsOf(entry),
      reason: reasonOf(entry.reason_code),
    };
    await changeEntry(trx, { entry, step, now });
  }
  return { outcome: "paid", paidPence, entries: entries.length };
}
