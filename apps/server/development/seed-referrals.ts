import { findOwnCode } from "@farthing/core/invitations/operations.server.ts";
import { startProgramme } from "@farthing/core/invitations/programmes.server.ts";
import type { Db } from "@farthing/db/client.ts";

const THIRTY_DAYS_MS = 30 * 86_400_000;

/**
 * Adds a programme to every demo brand that never had one: £5.00 for each side, for a first purchase with £1.00 of
 * cashback within 90 days. `member@<brand>.example` has a link. Returns the number of programmes started.
 */
export async function seedReferrals(db: Db, { now }: { now: Date }): Promise<number> {
  const brands = await db
    .selectFrom("brands")
    .leftJoin("referral_programmes as programme", "programme.brand_id", "brands.id")
    .select(["brands.id", "brands.slug"])
    .where("programme.id", "is", null)
    .orderBy("slug")
    .execute();
  for (const { id: brandId, slug } of brands) {
    const terms = {
      friendPence: 500,
      inviterPence: 500,
      minCashbackPence: 100,
      withinDays: 90,
      maxPerYear: 10,
      endsAt: null,
    };
    const startsAt = new Date(now.getTime() - THIRTY_DAYS_MS);
    await startProgramme(db, { ...terms, brandId, startsAt, by: "demo", now });
    const member = await db
      .selectFrom("members")
      .select("id")
      .where("brand_id", "=", brandId)
      .where("email", "=", `member@${slug}.example`)
      .executeTakeFirst();
    if (member) await findOwnCode(db, { brandId, memberId: member.id, now });
  }
  return brands.length;
}
