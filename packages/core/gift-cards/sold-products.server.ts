import type { Db, Trx } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import { troubledStatuses, troubleWords, type TroubledStatus } from "./retailer-trouble.ts";

const listed: RawBuilder<unknown> = sql.join(troubledStatuses.map((status) => sql.lit(status)));

/** The state of the retailer of `product` where its cards are not sold for it; null: they may be. */
export const retailerTrouble = sql<TroubledStatus | null>`(select seller.status from retailers seller
  where seller.id = product.retailer_id and seller.status in (${listed}))`;

/**
 * Whether `product`, a row of gift_card_products, is sold (G2): its issuer lists it, no operator has stopped it, and its retailer is neither
 * in administration nor closed. The one rule of lists, pages, search, baskets, orders and payments.
 */
export const isProductSold = sql<boolean>`(product.withdrawn_at is null and product.stopped_at is null
  and ${retailerTrouble} is null)`;

const troubleInWords = sql<string | null>`(case ${retailerTrouble} ${sql.join(
  troubledStatuses.map((status) => sql`when ${sql.lit(status)} then ${sql.lit(troubleWords[status])}`),
  sql` `,
)} end)`;

/** What owners of cards of `product` are told because they may lose money (G6): an operator's words about it, or its retailer's state; null: nothing. */
export const troubleOfProduct = sql<string | null>`(case when product.is_insolvent then product.stopped_because
  else ${troubleInWords} end)`;

/** Whether a card of an order that nobody has paid is not sold any more: its payment would be refunded at once. */
export async function hasUnsoldLine(db: Db | Trx, { orderPublicId }: { orderPublicId: string }): Promise<boolean> {
  const { rows } = await sql`
    select from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
      join gift_card_products product on product.id = line.product_id
    where orders.public_id = ${orderPublicId} and line.state = 'awaiting_payment' and not ${isProductSold} limit 1`.execute(
    db,
  );
  return rows.length > 0;
}

/** Returns which of these products is not sold any more, by its place in the list; null: all are. */
export async function findUnsold(trx: Trx, productIds: readonly string[]): Promise<number | null> {
  const { rows } = await sql<{ id: string }>`
    select product.id from gift_card_products product where product.id = any(${productIds}::uuid[])
      and not ${isProductSold}`.execute(trx);
  const unsold = new Set(rows.map(({ id }) => id));
  const place = productIds.findIndex((id) => unsold.has(id));
  return place < 0 ? null : place;
}
