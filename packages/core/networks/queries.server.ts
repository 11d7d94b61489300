import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Returns the network's id, or null for an unknown slug. */
export async function findNetworkId(db: Db, { slug }: { slug: string }): Promise<string | null> {
  return (await db.selectFrom("networks").select("id").where("slug", "=", slug).executeTakeFirst())?.id ?? null;
}

/**
 * Returns the ids of approved transactions that the network has not paid for yet, those observed longest ago first. Payment changes no date that a
 * pass could find, so they are requested by id. Those observed at or after `askedBefore` are left out.
 */
export async function findUnpaidTransactionIds(
  db: Db,
  { networkId, askedBefore, limit }: { networkId: string; askedBefore: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom("network_transactions")
    .select("network_transaction_id")
    .where("network_id", "=", networkId)
    .where("status", "=", "approved")
    .where("paid_to_publisher", "=", false)
    .where("next_change_at", "is", null) // a calendar pays it
    .where("observed_at", "<", askedBefore)
    .orderBy("observed_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.network_transaction_id);
}

export interface HeldTransactions {
  reason: string;
  count: number;
  oldest: Date;
}

/** Counts the transactions that no member is credited for, by reason, for operators. */
export async function countHeldTransactions(db: Db): Promise<HeldTransactions[]> {
  const { rows } = await sql<HeldTransactions>`
    select held_because as reason, count(*)::int as count, min(created_at) as oldest
    from network_transactions where held_because is not null group by held_because order by held_because`.execute(db);
  return rows;
}
