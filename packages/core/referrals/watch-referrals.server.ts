import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { openDueWork, type Lease } from "../due-work/due-work.server.ts";
import { retryDoubling } from "../due-work/rules.ts";
import type { UnsubscribeKeys } from "../mail-choices/unsubscribe-token.ts";
import { lockPeople, settleReferral } from "./settle-referral.server.ts";

/** Referrals that something has happened to, or whose time has come. Nothing is given up: it is money. */
export const dueReferrals = openDueWork()({
  table: "referral_watches",
  id: "referral_id",
  dueAt: "next_look_at",
  attempts: "attempts",
  lastError: "last_error",
  isOpen: sql`true`,
  columns: sql`work.referral_id`,
  nextAttempt: retryDoubling({ firstMs: 60_000, maxMs: 30 * 60_000 }),
});

const LEASE_MS = 5 * 60_000;

/**
 * Settles the referrals that are due (C8). The transaction that settles one also says when to look again, so a worker
 * that is killed leaves either all of it or nothing, and another one does it.
 */
export async function watchReferrals(
  db: Db,
  { keys, now, max = 100 }: { keys: UnsubscribeKeys; now: Date; max?: number },
): Promise<{ looked: number; failed: number }> {
  const claimed = await dueReferrals.claim(db, { now, leaseMs: LEASE_MS, max });
  const round = { looked: claimed.length, failed: 0 };
  for (const lease of claimed) {
    try {
      await lookAt(db, { lease, keys, now });
    } catch (error) {
      round.failed += 1;
      await dueReferrals.fail(db, lease, { now, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return round;
}

async function lookAt(db: Db, { lease, keys, now }: { lease: Lease; keys: UnsubscribeKeys; now: Date }): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // Members first, then the watch: a change of a member takes them in this order, because a trigger writes the watch.
    await lockPeople(trx, lease.id);
    const { rows } = await sql`
      select from referral_watches where referral_id = ${lease.id} and next_look_at = ${lease.until} for update`.execute(
      trx,
    );
    if (rows.length === 0) return; // another worker has it, or it is due again
    const next = await settleReferral(trx, { referralId: lease.id, keys, now });
    await (
      next
        ? sql`update referral_watches set next_look_at = ${next}, attempts = 0, last_error = null where referral_id = ${lease.id}`
        : sql`delete from referral_watches where referral_id = ${lease.id}`
    ).execute(trx);
  });
}
