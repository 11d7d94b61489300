import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { KEEP_EVIDENCE_DAYS, orderKey, SAME_PURCHASE_DAYS } from "./rules.ts";

// What the booking of sales needs of claims. A noun of its own, because claims need networks and cashback themselves.

export interface SaleWithoutClick {
  /** The retailer of the sale's programme. */
  retailerId: string;
  orderReference: string;
  purchasedAt: Date;
}

/** Holds where the day of purchase of a claim fits the moment of a sale, in London. */
const isSameDay = sql`
  abs(claim.purchased_on - (sale.purchased_at at time zone 'Europe/London')::date) <= ${SAME_PURCHASE_DAYS}::integer`;

/**
 * Returns the click that each sale without one belongs to (C7), in the sales' order: that of the one claim which names its order at the same retailer
 * and is with the network. `conflict`: claims about other visits name the order too, so nobody is credited. Null: no claim names it.
 */
export async function findClaimedClicks(
  trx: Trx,
  { networkId, sales }: { networkId: string; sales: readonly SaleWithoutClick[] },
): Promise<({ clickId: string } | "conflict" | null)[]> {
  if (sales.length === 0) return [];
  const { rows } = await sql<{ place: number; click_ids: string[]; counts: boolean }>`
    select sale.place::int as place, array_agg(distinct claim.click_id) as click_ids,
      bool_or(claim.state in ('filed', 'accepted', 'credited') and ${isSameDay}) as counts
    from unnest(${sales.map(({ retailerId }) => retailerId)}::uuid[],
      ${sales.map(({ orderReference }) => orderKey(orderReference))}::text[],
      ${sales.map(({ purchasedAt }) => purchasedAt)}::timestamptz[]) with ordinality sale (retailer_id, order_key, purchased_at, place)
    join claims claim on claim.network_id = ${networkId} and claim.retailer_id = sale.retailer_id and claim.order_key = sale.order_key
    where claim.kind = 'untracked' and claim.state in ('open', 'incomplete', 'filed', 'accepted', 'credited')
    group by sale.place`.execute(trx);
  const found = new Map(rows.map(({ place, ...row }) => [place - 1, row]));
  return sales.map((_, at) => {
    const { click_ids: [clickId, other] = [], counts = false } = found.get(at) ?? {};
    if (clickId === undefined || !counts) return null;
    return other === undefined ? { clickId } : "conflict";
  });
}

/** A sale whose booking gave its member more than before. */
export interface SettledSale {
  transaction: { id: string; click_id: string | null; order_reference: string | null; purchased_at: Date };
  /** The entry of the purchase. */
  purchaseId: string;
}

/**
 * Ends the claims that changes of cashback fulfil, in the transaction that books them: those about the purchase, and those about a visit
 * without one that name its order, or its day where the network names no order.
 */
export async function settleClaims(
  trx: Trx,
  { sales, now }: { sales: readonly SettledSale[]; now: Date },
): Promise<void> {
  if (sales.length === 0) return;
  const { rows: fulfilled } = await sql<{ id: string; transaction_id: string }>`
    select claim.id, sale.transaction_id
    from unnest(${sales.map(({ transaction }) => transaction.id)}::uuid[], ${sales.map(({ transaction }) => transaction.click_id)}::uuid[],
      ${sales.map(({ transaction: { order_reference: order } }) => (order === null ? null : orderKey(order)))}::text[],
      ${sales.map(({ transaction }) => transaction.purchased_at)}::timestamptz[],
      ${sales.map(({ purchaseId }) => purchaseId)}::uuid[]) with ordinality
      sale (transaction_id, click_id, order_key, purchased_at, purchase_id, place)
    join claims claim on claim.click_id = sale.click_id
    where claim.state in ('waiting', 'incomplete', 'open', 'filed', 'accepted', 'declined')
      and (claim.entry_id = sale.purchase_id
        or (claim.kind = 'untracked' and (claim.order_key = sale.order_key or (sale.order_key is null and ${isSameDay}))))
    order by claim.id, sale.place for update of claim`.execute(trx);
  const saleOf = new Map(fulfilled.toReversed().map(({ id, transaction_id }) => [id, transaction_id]));
  const ids = [...saleOf.keys()];
  if (ids.length === 0) return;
  const { rows } = await sql<{ id: string; version: number }>`
    update claims set state = 'credited', version = version + 1, credited_transaction_id = fulfilled.transaction_id, changed_at = ${now},
      awaits_pack = false, given_up_at = null
    from unnest(${ids}::uuid[], ${[...saleOf.values()]}::uuid[]) fulfilled (id, transaction_id)
    where claims.id = fulfilled.id
    returning claims.id, version`.execute(trx);
  await trx
    .insertInto("claim_changes")
    .values(
      rows.map(({ id, version }) => ({
        claim_id: id,
        version,
        state: "credited",
        made_by: "retailer",
        changed_at: now,
        is_to_tell: true,
      })),
    )
    .execute();
  await trx
    .updateTable("attachments")
    .set({ delete_after: new Date(now.getTime() + KEEP_EVIDENCE_DAYS * 86_400_000), deleted_why: "decided" })
    .where("claim_id", "in", ids)
    .execute();
}

/** Returns the held sales that a claim with the network names. */
export async function findClaimedSales(db: Db, { limit = 200 } = {}): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct sale.id from claims claim join network_transactions sale
      on sale.network_id = claim.network_id and upper(ltrim(btrim(sale.order_reference), '#')) = claim.order_key
    where claim.state in ('filed', 'accepted') and claim.kind = 'untracked'
      and sale.held_because in ('no_reference', 'unknown_reference', 'claims_conflict')
    limit ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
