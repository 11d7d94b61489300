import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { DAY_MS, judgeCode, WEEK_MS, type CodeHealth, type VoteCounts } from "./rules.ts";

/** Returns the health of codes by the offers' public ids; offers without a vote in the last week are missing. */
export async function findCodeHealth(
  db: Db,
  { publicIds, now }: { publicIds: readonly string[]; now: Date },
): Promise<Map<string, CodeHealth>> {
  if (publicIds.length === 0) return new Map();
  const day = new Date(now.getTime() - DAY_MS);
  const { rows } = await sql<VoteCounts & { publicId: string }>`${keepPlan}
    select o.public_id as "publicId",
      max(v.voted_at) filter (where v.outcome = 'worked') as "lastWorkedAt",
      (count(distinct v.member_id) filter (where v.outcome = 'worked'))::integer as "workedThisWeek",
      (count(distinct v.member_id) filter (where v.outcome = 'failed'))::integer as "failedThisWeek",
      (count(distinct v.member_id) filter (where v.outcome = 'worked' and v.voted_at > ${day}))::integer as "workedToday",
      (count(distinct v.member_id) filter (where v.outcome = 'failed' and v.voted_at > ${day}))::integer as "failedToday"
    from offers o join code_votes v on v.offer_id = o.id
    where o.public_id = any(${publicIds}::text[]) and v.voted_at > ${new Date(now.getTime() - WEEK_MS)} and v.voted_at <= ${now}
    group by o.public_id`.execute(db);
  return new Map(rows.map(({ publicId, ...counts }) => [publicId, judgeCode(counts)]));
}

/** Returns cards in their order, but with demoted codes at the end (O4). */
export async function demoteFailing<Card extends { publicId: string; kind: string }>(
  db: Db,
  { cards, now }: { cards: Card[]; now: Date },
): Promise<Card[]> {
  const publicIds = cards.flatMap(({ publicId, kind }) => (kind === "code" ? [publicId] : []));
  const health = await findCodeHealth(db, { publicIds, now });
  const fails = ({ publicId }: Card) => health.get(publicId)?.isDemoted === true;
  return [...cards.filter((card) => !fails(card)), ...cards.filter(fails)];
}
