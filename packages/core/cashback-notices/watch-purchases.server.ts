import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { lockEntries } from "../cashback/entries.server.ts";
import { reviewExpectation } from "../cashback/expectations.server.ts";
import { openDueWork, type Lease } from "../due-work/due-work.server.ts";
import { retryDoubling } from "../due-work/rules.ts";
import { findMailChoices } from "../mail-choices/member-choices.server.ts";
import { signUnsubscription, type UnsubscribeKeys } from "../mail-choices/unsubscribe-token.ts";
import { queueMail } from "../mails/operations.server.ts";

interface Watch {
  memberId: string;
  networkTransactionId: string;
}

/** Open purchases, each due when it is to be looked at again. Nothing is given up: a watch ends with its purchase. */
export const dueWatches = openDueWork<Watch>()({
  table: "cashback_watches",
  id: "entry_id",
  dueAt: "next_look_at",
  attempts: "attempts",
  lastError: "last_error",
  join: sql`join cashback_entries entry on entry.id = work.entry_id`,
  isOpen: sql`true`,
  columns: sql`work.member_id as "memberId", entry.network_transaction_id as "networkTransactionId"`,
  nextAttempt: retryDoubling({ firstMs: 60_000, maxMs: 30 * 60_000 }),
});

const LEASE_MS = 5 * 60_000;

export interface WatchRound {
  looked: number;
  /** Purchases that have become overdue. */
  overdue: number;
  failed: number;
}

/**
 * Looks at the purchases that are due: revises what is expected of them, marks those that are overdue, and writes one mail to each member about
 * theirs, in the transaction that marks them (C3). So a member is told once, whatever is killed.
 */
export async function watchPurchases(
  db: Db,
  { keys, now, max = 200 }: { keys: UnsubscribeKeys; now: Date; max?: number },
): Promise<WatchRound> {
  const claimed = await dueWatches.claim(db, { now, leaseMs: LEASE_MS, max });
  const byMember = Map.groupBy(claimed, ({ memberId }) => memberId);
  const round = { looked: claimed.length, overdue: 0, failed: 0 };
  for (const [memberId, watches] of byMember) {
    try {
      round.overdue += await db.transaction().execute((trx) => lookAt(trx, { memberId, watches, keys, now }));
    } catch (error) {
      round.failed += watches.length;
      const message = error instanceof Error ? error.message : String(error);
      for (const lease of watches) await dueWatches.fail(db, lease, { now, error: message });
    }
  }
  return round;
}

async function lookAt(
  trx: Trx,
  {
    memberId,
    watches,
    keys,
    now,
  }: { memberId: string; watches: readonly (Watch & Lease)[]; keys: UnsubscribeKeys; now: Date },
): Promise<number> {
  const overdue: { entryId: string; expectedTo: Date }[] = [];
  // Locked in one order, as every other operation does. An operation of the network's report may have come first: it has looked already.
  for (const watch of watches.toSorted((a, b) => (a.id < b.id ? -1 : 1))) {
    await lockEntries(trx, { networkTransactionId: watch.networkTransactionId });
    const { rowCount } = await holdsLease(trx, watch);
    if (rowCount === 0) continue;
    const { isNewlyOverdue, range } = await reviewExpectation(trx, { entryId: watch.id, now });
    if (isNewlyOverdue && range) overdue.push({ entryId: watch.id, expectedTo: range.to });
  }
  if (overdue.length > 0) await queueOverdueMail(trx, { memberId, overdue, keys, now });
  return overdue.length;
}

async function holdsLease(trx: Trx, lease: Lease): Promise<{ rowCount: number }> {
  const { rows } = await sql`
    select from cashback_watches where entry_id = ${lease.id} and next_look_at = ${lease.until} for update`.execute(
    trx,
  );
  return { rowCount: rows.length };
}

async function queueOverdueMail(
  trx: Trx,
  {
    memberId,
    overdue,
    keys,
    now,
  }: {
    memberId: string;
    overdue: readonly { entryId: string; expectedTo: Date }[];
    keys: UnsubscribeKeys;
    now: Date;
  },
): Promise<void> {
  const member = await trx
    .selectFrom("members")
    .select(["brand_id", "email"])
    .where("id", "=", memberId)
    .where("email_verified", "=", true)
    .where("suspended_at", "is", null)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  if (!member) return;
  const choices = await findMailChoices(trx, { brandId: member.brand_id, memberId });
  if (!choices.some(({ kind, isWanted }) => kind === "cashback-confirmed" && isWanted)) return;
  const expectedTo = new Map(overdue.map((one) => [one.entryId, one.expectedTo]));
  const entries = await trx
    .selectFrom("cashback_entries as entry")
    .innerJoin("retailers as retailer", "retailer.id", "entry.retailer_id")
    .select(["entry.id", "entry.cashback_pence", "entry.state", "retailer.name"])
    .where("entry.id", "in", [...expectedTo.keys()])
    .orderBy("entry.purchased_at")
    .execute();
  await queueMail(trx, {
    brandId: member.brand_id,
    memberId,
    to: member.email,
    now,
    mail: {
      kind: "cashback-overdue",
      token: signUnsubscription({ brandId: member.brand_id, memberId, subject: "cashback-confirmed" }, keys),
      items: entries.map((entry) => ({
        retailerName: entry.name,
        cashbackPence: entry.cashback_pence,
        awaits: entry.state === "tracked" ? ("confirmation" as const) : ("payment" as const),
        expectedTo: expectedTo.get(entry.id)!.toISOString(),
      })),
    },
  });
}
