import type { Db } from "@farthing/db/client.ts";
import type { GoodwillItem } from "./find-goodwill.server.ts";
import { sumGiven } from "./operations.server.ts";
import type { GoodwillLimits, GoodwillReason, GoodwillState } from "./rules.ts";

export interface ListedGoodwill extends GoodwillItem {
  publicId: string;
  reference: string;
  brand: string;
  memberNumber: string;
  note: string;
  claim: string | null;
  givenBy: string;
  reversedBy: string | null;
  reversalNote: string | null;
}

/** Returns credits for operators, the newest first. */
export async function listGoodwill(
  db: Db,
  { memberId, max }: { memberId: string | null; max: number },
): Promise<ListedGoodwill[]> {
  const rows = await db
    .selectFrom("goodwill_credits as credit")
    .innerJoin("brands", "brands.id", "credit.brand_id")
    .innerJoin("members", "members.id", "credit.member_id")
    .leftJoin("claims", "claims.id", "credit.claim_id")
    .select([
      "credit.public_id as publicId",
      "credit.reference",
      "brands.slug as brand",
      "members.member_number as memberNumber",
      "credit.amount_pence as amountPence",
      "credit.reason",
      "credit.note",
      "credit.state",
      "claims.public_id as claim",
      "credit.given_by as givenBy",
      "credit.given_at as givenAt",
      "credit.reversed_by as reversedBy",
      "credit.reversed_at as reversedAt",
      "credit.reversal_note as reversalNote",
    ])
    .$if(memberId !== null, (query) => query.where("credit.member_id", "=", memberId ?? ""))
    .orderBy("credit.given_at", "desc")
    .orderBy("credit.id", "desc")
    .limit(max)
    .execute();
  return rows.map((row) => ({ ...row, reason: row.reason as GoodwillReason, state: row.state as GoodwillState }));
}

/** Returns what of the limits is left now, for the page where operators credit. */
export async function findGoodwillLeft(
  db: Db,
  { memberId, limits, now }: { memberId: string; limits: GoodwillLimits; now: Date },
): Promise<GoodwillLimits> {
  const given = await sumGiven(db, { memberId, now });
  return {
    dayPence: Math.max(0, limits.dayPence - given.toAllToday),
    memberPence: Math.max(0, limits.memberPence - given.toMemberThisYear),
  };
}
