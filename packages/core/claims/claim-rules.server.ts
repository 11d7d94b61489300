import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { retailerAt } from "../catalogue/retailers/retailer-at.server.ts";
import { countClicks, type ClickCount } from "../clicks/count-clicks.server.ts";
import { addDays, DEFAULT_RULE, LIVE_STATES, MIN_SAMPLE, type ClaimRule, type UsualTime } from "./rules.ts";

/** What holds at a retailer for claims (C7). */
export interface ClaimRuleRecord {
  retailer: { id: string; slug: string; name: string };
  /** Null: the default holds. */
  own: ClaimRule | null;
  usual: UsualTime;
  /** What the rule is: a save that was made in view of another one comes too late. */
  fingerprint: string;
}

interface Row {
  id: string;
  slug: string;
  name: string;
  opensAfterDays: number | null;
  closesAfterDays: number | null;
  needsEvidence: boolean | null;
  p95Days: number | null;
  promisedDays: number;
}

/**
 * Returns the claim rule at a retailer's address; null: there is no such retailer. At the address of one that was merged it is that of
 * the one that stays.
 */
export async function findClaimRule(db: Db | Trx, { slug }: { slug: string }): Promise<ClaimRuleRecord | null> {
  const { rows } = await sql<Row>`
    select r.id, r.slug, r.name, rule.opens_after_days as "opensAfterDays", rule.closes_after_days as "closesAfterDays",
      rule.needs_evidence as "needsEvidence", timing.p95_days as "p95Days", r.tracks_within_days_max as "promisedDays"
    from retailers r left join claim_rules rule on rule.retailer_id = r.id
    left join cashback_timings timing on timing.subject_id = r.id and timing.step = 'tracking' and timing.sample >= ${sql.lit(MIN_SAMPLE)}
    where r.id = ${retailerAt(slug)}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { id, name, opensAfterDays, closesAfterDays, needsEvidence, p95Days, promisedDays } = row;
  const own =
    closesAfterDays === null ? null : { opensAfterDays, closesAfterDays, needsEvidence: needsEvidence ?? false };
  return {
    retailer: { id, slug: row.slug, name },
    own,
    usual: { p95Days, promisedDays },
    fingerprint: fingerprintOf(own),
  };
}

const fingerprintOf = (own: ClaimRule | null) =>
  own === null ? "default" : `${own.opensAfterDays ?? "usual"} ${own.closesAfterDays} ${own.needsEvidence}`;

export type ClaimRuleChange =
  /** `merged`: the retailer was merged into another, whose rule holds. */
  | { outcome: "changed" | "unchanged" | "unknown" | "merged" }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: ClaimRuleRecord };

/**
 * Sets when claims can be filed at a retailer (C7), if its rule is still what somebody looked at.
 * @param rule null: the default holds again
 * @param seen the fingerprint of what was looked at; null: whichever rule there is
 */
export async function setClaimRule(
  db: Db,
  { slug, seen, rule }: { slug: string; seen: string | null; rule: ClaimRule | null },
): Promise<ClaimRuleChange> {
  return await db.transaction().execute(async (trx): Promise<ClaimRuleChange> => {
    // Changes of a rule take turns, the first one of a retailer too. The rule is read afterwards.
    await trx.selectFrom("retailers").select("id").where("slug", "=", slug).forNoKeyUpdate().execute();
    const stored = await findClaimRule(trx, { slug });
    if (!stored) return { outcome: "unknown" };
    if (stored.retailer.slug !== slug) return { outcome: "merged" };
    if (seen !== null && seen !== stored.fingerprint) return { outcome: "stale", stored };
    const held = rule === null ? stored.own : (stored.own ?? DEFAULT_RULE);
    if (fingerprintOf(rule) === fingerprintOf(held)) return { outcome: "unchanged" };
    await writeRule(trx, stored.retailer.id, rule);
    return { outcome: "changed" };
  });
}

async function writeRule(trx: Trx, retailerId: string, rule: ClaimRule | null): Promise<void> {
  if (rule === null) {
    await trx.deleteFrom("claim_rules").where("retailer_id", "=", retailerId).execute();
    return;
  }
  const values = {
    opens_after_days: rule.opensAfterDays,
    closes_after_days: rule.closesAfterDays,
    needs_evidence: rule.needsEvidence,
  };
  await trx
    .insertInto("claim_rules")
    .values({ retailer_id: retailerId, ...values })
    .onConflict((conflict) => conflict.column("retailer_id").doUpdateSet(values))
    .execute();
}

/** What a change of a retailer's claim rule concerns, and what it leaves alone. */
export interface ClaimRuleReach {
  /** Those about which a claim can still be filed: they follow the new rule. */
  visits: ClickCount;
  /** Those that are under way: they keep the rule that they were made under. */
  claims: number;
}

/** Counts the visits and claims of a retailer, and of those that were merged into it. `days`: those in which a claim can be filed now. */
export async function findClaimRuleReach(
  db: Db,
  { retailerId, days, now }: { retailerId: string; days: number; now: Date },
): Promise<ClaimRuleReach> {
  const { rows: shops } = await sql<{ id: string }>`select id from same_retailers(${retailerId}) place (id)`.execute(
    db,
  );
  const retailerIds = shops.map(({ id }) => id);
  const [visits, claims] = await Promise.all([
    countClicks(db, { retailerIds, since: addDays(now, -days) }),
    db
      .selectFrom("claims")
      .select(({ fn }) => fn.countAll<number>().as("count"))
      .where("retailer_id", "in", retailerIds)
      .where("state", "in", [...LIVE_STATES])
      .executeTakeFirstOrThrow(),
  ]);
  return { visits, claims: Number(claims.count) };
}
