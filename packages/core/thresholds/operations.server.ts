import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { findThresholdRecord, type ThresholdRecord } from "./queries.server.ts";
import { isInRange, thresholds, type ThresholdKey } from "./rules.ts";
import type { ThresholdStatement } from "./schema.ts";

export type SavedThreshold =
  | { outcome: "changed" | "unchanged" }
  | { outcome: "refused"; faults: Record<string, string> }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: ThresholdRecord };

/**
 * Sets a threshold that is still at `version` (0: never set; null: whichever it is at) for the club and for brands that differ.
 * Without values it has its default again.
 * @param follow brings what was stored by the old value up to date, in the same transaction
 */
export async function saveThreshold(
  db: Db,
  {
    key,
    statement,
    version,
    now,
    follow,
  }: {
    key: ThresholdKey;
    statement: ThresholdStatement;
    version: number | null;
    now: Date;
    follow(trx: Trx, key: ThresholdKey, now: Date): Promise<void>;
  },
): Promise<SavedThreshold> {
  return await db.transaction().execute(async (trx): Promise<SavedThreshold> => {
    // Changes take turns, the first one of a threshold too; reads go on.
    await sql`lock table thresholds in share row exclusive mode`.execute(trx);
    const stored = await findThresholdRecord(trx, { key });
    if (stored && version !== null && stored.version !== version) return { outcome: "stale", stored };
    const faults = await faultsOf(trx, key, statement);
    if (Object.keys(faults).length > 0) return { outcome: "refused", faults };
    const { rows } = await sql`
      insert into thresholds (threshold_key, club_value, brand_values, updated_at)
      values (${key}, ${statement.club}, ${JSON.stringify(statement.brands)}::jsonb, ${now})
      on conflict (threshold_key) do update
        set club_value = excluded.club_value, brand_values = excluded.brand_values, updated_at = excluded.updated_at
        where (thresholds.club_value, thresholds.brand_values) is distinct from (excluded.club_value, excluded.brand_values)
      returning threshold_key`.execute(trx);
    const isNothing = stored?.version === 0 && statement.club === null && Object.keys(statement.brands).length === 0;
    if (rows.length === 0 || isNothing) {
      if (isNothing) await trx.deleteFrom("thresholds").where("threshold_key", "=", key).execute();
      return { outcome: "unchanged" };
    }
    await follow(trx, key, now);
    return { outcome: "changed" };
  });
}

/** Returns what is wrong, by "club" and the slugs of brands. */
async function faultsOf(
  db: Parameters<typeof findThresholdRecord>[0],
  key: ThresholdKey,
  { club, brands }: ThresholdStatement,
): Promise<Record<string, string>> {
  const { min, max, isPerBrand } = thresholds[key];
  const slugs = Object.keys(brands);
  const known =
    slugs.length === 0 ? [] : await db.selectFrom("brands").select("slug").where("slug", "in", slugs).execute();
  const range = `Give a whole number from ${min} to ${max}, or nothing.`;
  return {
    ...(club !== null && !isInRange(key, club) && { club: range }),
    ...Object.fromEntries(
      slugs.flatMap((slug) => {
        if (!isPerBrand) return [[slug, "A brand can’t differ in this: set it for the club."]];
        if (!known.some((brand) => brand.slug === slug)) return [[slug, `There is no brand ${slug}.`]];
        return isInRange(key, brands[slug]) ? [] : [[slug, range]];
      }),
    ),
  };
}
