import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

interface HeldTransactions {
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
