import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { OfferVariant, RetailerStatus } from "../catalogue/catalogue-view.ts";

export interface RevealVariant extends OfferVariant {
  id: string;
}

export interface RevealOffer {
  id: string;
  status: "live" | "withdrawn";
  startsAt: Date;
  endsAt: Date | null;
  retailerStatus: RetailerStatus;
  variants: RevealVariant[];
}

/** Returns an offer whose codes a brand's members may be given, whatever its state; null where the brand does not show it. */
export async function findRevealOffer(
  db: Db | Trx,
  { brandId, offerPublicId }: { brandId: string; offerPublicId: string },
): Promise<RevealOffer | null> {
  const { rows } = await sql<RevealOffer>`
    select o.id, o.status, o.starts_at as "startsAt", o.ends_at as "endsAt", r.status as "retailerStatus", coalesce((
      select json_agg(json_build_object('id', v.id, 'publicId', v.public_id, 'label', v.label) order by v.position, v.label)
      from offer_variants v where v.offer_id = o.id), '[]') as variants
    from offers o join retailers r on r.id = o.retailer_id join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId}
    where o.public_id = ${offerPublicId}
      and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
           or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = ${brandId}))`.execute(
    db,
  );
  return rows[0] ?? null;
}

/** Returns the variant that an address names; where it names none of the offer's, its first. Null: the offer has none. */
export function chooseVariant(variants: readonly RevealVariant[], publicId: string | null): RevealVariant | null {
  return variants.find((variant) => variant.publicId === publicId) ?? variants[0] ?? null;
}
