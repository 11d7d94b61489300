import type { Db } from "@farthing/db/client.ts";
import { preFlightSchema } from "../clicks/pre-flight.ts";
import { rateSnapshotSchema } from "../clicks/rate-snapshot.ts";
import type { Receipt } from "./receipt.ts";

const MAX_PURCHASES = 20;

/** Returns the receipt of a member's click, as things were at the click; null where there is no such click of theirs (C5). */
export async function findReceipt(
  db: Db,
  { memberId, clickNumber }: { memberId: string; clickNumber: string },
): Promise<Receipt | null> {
  const click = await db
    .selectFrom("clicks as click")
    .innerJoin("retailers as retailer", "retailer.id", "click.retailer_id")
    .innerJoin("networks as network", "network.id", "click.network_id")
    .leftJoin("click_terms as terms", "terms.terms_hash", "click.terms_hash")
    .select([
      "click.id",
      "click.click_number",
      "click.reference",
      "click.created_at",
      "click.rate_snapshot",
      "click.terms_hash",
      "click.pre_flight",
      "terms.terms",
      "retailer.slug",
      "retailer.name",
      "network.name as network_name",
    ])
    .where("click.click_number", "=", clickNumber)
    .where("click.member_id", "=", memberId)
    .executeTakeFirst();
  if (!click) return null;
  const purchases = await db
    .selectFrom("cashback_entries")
    .select(["id", "purchased_at", "sale_pence", "cashback_pence", "state"])
    .where("click_id", "=", click.id)
    .where("entry_kind", "=", "purchase")
    .orderBy("purchased_at")
    .orderBy("id")
    .limit(MAX_PURCHASES)
    .execute();
  return {
    clickNumber: click.click_number,
    reference: click.reference,
    clickedAt: click.created_at,
    retailer: { slug: click.slug, name: click.name },
    networkName: click.network_name,
    preFlight: preFlightSchema.parse(click.pre_flight),
    snapshot: rateSnapshotSchema.parse(click.rate_snapshot),
    terms: click.terms,
    termsHash: click.terms_hash,
    purchases: purchases.map((one) => ({
      id: one.id,
      purchasedAt: one.purchased_at,
      purchasePence: one.sale_pence,
      cashbackPence: one.cashback_pence,
      state: one.state as Receipt["purchases"][number]["state"],
    })),
  };
}
