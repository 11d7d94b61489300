import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** The number of clicks up to which they are counted; above, the planner's estimate is good enough for somebody who decides. */
const MAX_COUNTED = 200_000;

export interface ClickCount {
  count: number;
  isEstimate: boolean;
}

/**
 * Returns how many clicks retailers have, since a moment if one is given. Clicks have no index by retailer, which each of them would pay
 * for: where they are many, the planner says about how many.
 */
export async function countClicks(
  db: Db,
  { retailerIds, since = null }: { retailerIds: readonly string[]; since?: Date | null },
): Promise<ClickCount> {
  const ids = sql.join(retailerIds.map((id) => sql.lit(id)));
  const lately = since ? sql`and created_at > ${sql.lit(since.toISOString())}` : sql``;
  const wanted = sql`from clicks where retailer_id in (${ids}) ${lately}`;
  const { rows } = await sql<{
    all: number;
  }>`select reltuples::bigint as all from pg_class where oid = 'clicks'::regclass`.execute(db);
  if (Number(rows[0]?.all ?? 0) > MAX_COUNTED) {
    const plan = await sql<{ "QUERY PLAN": [{ Plan: { "Plan Rows": number } }] }>`
      explain (format json) select ${wanted}`.execute(db);
    return { count: plan.rows[0]!["QUERY PLAN"][0].Plan["Plan Rows"], isEstimate: true };
  }
  const counted = await sql<{ count: number }>`select count(*) ${wanted}`.execute(db);
  return { count: Number(counted.rows[0]?.count ?? 0), isEstimate: false };
}
