import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { thresholdSql } from "../thresholds/threshold-values.server.ts";
import { judgeCode, WEEK_MS, type CodeHealth, type CodeLimits, type VoteCounts } from "./rules.ts";

/**
 * Returns the health of codes by the offers' public ids, as it is judged for a brand's members; offers without a vote in the last week
 * are missing. Every brand's members vote.
 */
export async function findCodeHealth(
  db: Db,
  { brandId, publicIds, now }: { brandId: string; publicIds: readonly string[]; now: Date },
): Promise<Map<string, CodeHealth>> {
  if (publicIds.length === 0) return new Map();
  const { rows } = await sql<VoteCounts & CodeLimits & { publicId: string }>`${keepPlan}
    with set_limits as materialized (
      select ${thresholdSql("code-sample", brandId)} as sample, ${thresholdSql("code-failures", brandId)} as failures,
        ${thresholdSql("code-failure-hours", brandId)} as hours)
    select o.public_id as "publicId",
      max(v.voted_at) filter (where v.outcome = 'worked') as "lastWorkedAt",
      (count(distinct v.member_id) filter (where v.outcome = 'worked'))::integer as "workedThisWeek",
      (count(distinct v.member_id) filter (where v.outcome = 'failed'))::integer as "failedThisWeek",
      (count(distinct v.member_id) filter (where v.outcome = 'worked' and v.voted_at > ${now}::timestamptz - make_interval(hours => l.hours)))::integer as "workedLately",
      (count(distinct v.member_id) filter (where v.outcome = 'failed' and v.voted_at > ${now}::timestamptz - make_interval(hours => l.hours)))::integer as "failedLately",
      l.sample, l.failures, l.hours
    from set_limits l cross join offers o join code_votes v on v.offer_id = o.id
    where o.public_id = any(${publicIds}::text[]) and v.voted_at > ${new Date(now.getTime() - WEEK_MS)} and v.voted_at <= ${now}
    group by o.public_id, l.sample, l.failures, l.hours`.execute(db);
  return new Map(rows.map(({ publicId, ...row }) => [publicId, judgeCode(row, row)]));
}

/** Returns cards in their order, but with demoted codes at the end (O4). */
export async function demoteFailing<Card extends { publicId: string; kind: string }>(
  db: Db,
  { brandId, cards, now }: { brandId: string; cards: Card[]; now: Date },
): Promise<Card[]> {
  const publicIds = cards.flatMap(({ publicId, kind }) => (kind === "code" ? [publicId] : []));
  const health = await findCodeHealth(db, { brandId, publicIds, now });
  const fails = ({ publicId }: Card) => health.get(publicId)?.isDemoted === true;
  return [...cards.filter((card) => !fails(card)), ...cards.filter(fails)];
}
