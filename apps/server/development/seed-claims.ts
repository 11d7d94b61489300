import { makeClaim } from "@farthing/core/claims/operations.server.ts";
import { decideClaim } from "@farthing/core/claims/operators.server.ts";
import { findVisits } from "@farthing/core/claims/find-subject.server.ts";
import { londonDate } from "@farthing/core/registration/rules.ts";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Adds to each demo member that has none a claim about a visit, for which the retailer asks for more. Idempotent. */
export async function seedClaims(db: Db, { now }: { now: Date }): Promise<void> {
  const { rows: members } = await sql<{ id: string; brand_id: string }>`
    select member.id, member.brand_id from members member join brands brand on brand.id = member.brand_id
    where member.email = 'member@' || brand.slug || '.example'
      and not exists (select from claims where member_id = member.id) order by member.id`.execute(db);
  for (const { id: memberId, brand_id: brandId } of members) {
    const visits = (await findVisits(db, { memberId, now })).filter(({ place }) => place !== "late");
    const visit = visits.find(({ place }) => place === "open") ?? visits[0];
    if (!visit) continue;
    const form = {
      orderReference: "DEMO-10427",
      purchasedOn: londonDate(visit.click.clickedAt),
      salePence: 6_450,
      words: null,
    };
    const made = await makeClaim(db, { brandId, memberId, about: { clickNumber: visit.click.number }, form, now });
    if (made.outcome !== "made" || made.state !== "open") continue;
    const asked = "The shop asks for the order confirmation: the page that shows the order number and the total.";
    await decideClaim(db, { publicId: made.publicId, decision: { state: "incomplete", asked }, by: "the demo", now });
  }
}
