import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** The network's id, or null when the club is not with it. */
export async function findNetworkId(db: Db, { slug }: { slug: string }): Promise<string | null> {
  return (await db.selectFrom("networks").select("id").where("slug", "=", slug).executeTakeFirst())?.id ?? null;
}

/**
 * Approved transactions the network has not paid for yet, those not asked about for longest first. Paying changes no date that a pass of the
 * report could find, so they are asked for by id. Those asked about after `askedBefore` are left out.
 */
export async function findUnpaidTransactionIds(
  db: Db,
  { networkId, askedBefore, most }: { networkId: string; askedBefore: Date; most: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("network_transactions")
    .select("network_transaction_id")
    .where("network_id", "=", networkId)
    .where("status", "=", "approved")
    .where("paid_to_publisher", "=", false)
    .where("observed_at", "<", askedBefore)
    .orderBy("observed_at")
    .limit(most)
    .execute();
  return rows.map((row) => row.network_transaction_id);
}

export interface HeldTransactions {
  reason: string;
  count: number;
  oldest: Date;
}

/** Purchases that nobody is credited for, by reason: what operators look at. */
export async function countHeldTransactions(db: Db): Promise<HeldTransactions[]> {
  const { rows } = await sql<HeldTransactions>`
    select held_because as reason, count(*)::int as count, min(created_at) as oldest
    from network_transactions where held_because is not null group by held_because order by held_because`.execute(db);
  return rows;
}
