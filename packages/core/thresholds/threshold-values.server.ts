import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { thresholdKeys, thresholds, type ThresholdKey, type ThresholdValues } from "./rules.ts";

/**
 * Returns the value of a threshold as SQL, for the statement of a rule: it is read where it is needed, so that no process
 * keeps an old one. What is stored and can't be used is passed over (threshold_value.sql).
 * @param brandId of the brand whose members see it; null: the club's
 */
export function thresholdSql(key: ThresholdKey, brandId: string | null = null): RawBuilder<number> {
  const { min, max, default: otherwise } = thresholds[key];
  const brand = brandId === null ? sql`null` : sql`${brandId}`;
  return sql<number>`(select threshold_value(${sql.lit(key)}, ${brand}::uuid, ${sql.lit(min)}, ${sql.lit(max)}, ${sql.lit(otherwise)}))`;
}

/** Returns the values that hold for the club, or for a brand. */
export async function findThresholds(
  db: Db | Trx,
  { brandId = null }: { brandId?: string | null } = {},
): Promise<ThresholdValues> {
  const values = thresholdKeys.map((key) => sql`${thresholdSql(key, brandId)} as ${sql.id(key)}`);
  const { rows } = await sql<ThresholdValues>`select ${sql.join(values)}`.execute(db);
  return rows[0]!;
}
