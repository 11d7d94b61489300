import { sql, type RawBuilder } from "kysely";
import { NEVER_LINKED } from "../landing.ts";

/**
 * Returns a query for `columns` of the programme, as `linking`, that builds the link of offer `o` and pays its cashback (O7, C1): the
 * offer's own while it is joined, else the retailer's preferred one, else another that is joined. No row: the link earns nothing. Pages, cards,
 * deal links and clicks use this one rule, so that what a page says is what a purchase earns. An offer that is redeemed elsewhere has no link, so
 * that only its own programme says what it earns.
 */
export function linkingProgramme(columns: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
      select ${columns} from programmes linking
      where linking.retailer_id = o.retailer_id and linking.status = 'joined'
        and (linking.id = o.programme_id or o.kind not in (${sql.join([...NEVER_LINKED].map((kind) => sql.lit(kind)))}))
      order by (linking.id = o.programme_id) desc nulls last, linking.is_preferred desc, linking.id limit 1`;
}

/**
 * Returns the condition that a brand sells the gift card of offer `o` itself (O4): the offer's only button leads to the brand's own gift cards, where
 * no network sees the purchase, so that no programme pays for it. With a code, the offer leads to the shop like others.
 */
export function isSoldByBrand(brandId: string): RawBuilder<boolean> {
  return sql`(o.kind = 'gift_card' and (select b.features->>'giftCards' = 'true' from brands b where b.id = ${brandId})
    and not exists (select from offer_codes k where k.offer_id = o.id))`;
}
