import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { KEEP_EVIDENCE_DAYS, orderKey, SAME_PURCHASE_DAYS } from "./rules.ts";

// What the booking of sales needs of claims. A folder of its own, because claims import networks and cashback themselves.

export interface SaleWithoutClick {
  networkTransactionId: string;
  /** The retailer of the sale's programme, never one that was merged; null where the programme is unknown. */
  retailerId: string | null;
  orderReference: string | null;
  purchasedAt: Date;
}

/** The click and programme that a sale without a click is credited to. */
export interface ClaimedClick {
  clickId: string;
  retailerId: string;
  programmeId: string;
}

/** True where the purchase date of a claim is near enough to the moment of a sale, in London time. */
const isSameDay = sql`
  abs(claim.purchased_on - (sale.purchased_at at time zone 'Europe/London')::date) <= ${SAME_PURCHASE_DAYS}::integer`;

/** The record that stays of a claim's retailer `shop`, which may have been merged since. */
const placeOfShop = sql`coalesce(shop.merged_into_id, shop.id)`;

/** The different visits of a group of claims. */
const claimedClicks = sql`
  jsonb_agg(distinct jsonb_build_object('clickId', claim.click_id, 'retailerId', ${placeOfShop}, 'programmeId', claim.programme_id))`;

/**
 * Returns the click of each sale that was reported without a click reference (C7), in the order of the sales. It is the click of the claim whose
 * answer names the sale, or else of the one claim that names its order at the same retailer and is with the network.
 * `conflict`: several claims name it, so nobody is credited. Null: none does.
 */
export async function findClaimedClicks(
  trx: Trx,
  { networkId, sales }: { networkId: string; sales: readonly SaleWithoutClick[] },
): Promise<(ClaimedClick | "conflict" | null)[]> {
  if (sales.length === 0) return [];
  const named = await findNamedClicks(trx, networkId, sales);
  const { rows } = await sql<{ place: number; counts: boolean; clicks: ClaimedClick[] }>`
    select sale.place::int as place, bool_or(claim.state in ('filed', 'accepted', 'credited') and ${isSameDay}) as counts, ${claimedClicks} as clicks
    from unnest(${sales.map(({ retailerId }) => retailerId)}::uuid[],
      ${sales.map(({ orderReference: order }) => (order === null ? null : orderKey(order)))}::text[],
      ${sales.map(({ purchasedAt }) => purchasedAt)}::timestamptz[]) with ordinality sale (retailer_id, order_key, purchased_at, place)
    join claims claim on claim.network_id = ${networkId} and claim.order_key = sale.order_key
    join retailers shop on shop.id = claim.retailer_id and ${placeOfShop} = sale.retailer_id
    where claim.kind = 'untracked' and claim.state in ('open', 'incomplete', 'filed', 'accepted', 'credited')
    group by sale.place`.execute(trx);
  const found = new Map(rows.map(({ place, ...row }) => [place - 1, row]));
  return sales.map((_, at) => {
    const byName = named.get(at);
    if (byName) return oneOf(byName);
    const { clicks, counts } = found.get(at) ?? { clicks: [], counts: false };
    return clicks.length > 0 && counts ? oneOf(clicks) : null;
  });
}

function oneOf(clicks: readonly ClaimedClick[]): ClaimedClick | "conflict" {
  return clicks.length === 1 ? clicks[0]! : "conflict";
}

/** Returns the visits of claims whose network's answer names the sale, at its retailer where that is known, by the sales' places. */
async function findNamedClicks(
  trx: Trx,
  networkId: string,
  sales: readonly SaleWithoutClick[],
): Promise<Map<number, ClaimedClick[]>> {
  const { rows } = await sql<{ place: number; clicks: ClaimedClick[] }>`
    select sale.place::int as place, ${claimedClicks} as clicks
    from unnest(${sales.map(({ networkTransactionId }) => networkTransactionId)}::text[],
      ${sales.map(({ retailerId }) => retailerId)}::uuid[]) with ordinality sale (id, retailer_id, place)
    join claim_filings filing on filing.network_transaction_id = sale.id
    join claims claim on claim.id = filing.claim_id and claim.network_id = ${networkId}
    join retailers shop on shop.id = claim.retailer_id
    where claim.kind = 'untracked' and claim.state in ('incomplete', 'filed', 'accepted', 'credited')
      and (sale.retailer_id is null or sale.retailer_id = ${placeOfShop})
    group by sale.place`.execute(trx);
  return new Map(rows.map(({ place, clicks }) => [place - 1, clicks]));
}

/** A sale whose booking gave its member more than before. */
export interface SettledSale {
  transaction: { id: string; click_id: string | null; order_reference: string | null; purchased_at: Date };
  /** The entry of the purchase. */
  purchaseId: string;
}

/**
 * Ends the claims that changes of cashback fulfil, in the transaction that books them. These are the claims about the purchase, and the
 * claims about a visit without a purchase that name its order, or its day where the network names no order.
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
        or (claim.kind = 'untracked' and (claim.order_key = sale.order_key or (sale.order_key is null and ${isSameDay})
          or exists (select from claim_filings filing join network_transactions named on named.id = sale.transaction_id
            where filing.claim_id = claim.id and filing.network_transaction_id = named.network_transaction_id))))
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

/** `orderKey` of a held sale, as `sale`, with the dashes, spaces and unseen characters that networks write. */
export const unplainOrderKey = sql`
  upper(ltrim(btrim(regexp_replace(regexp_replace(regexp_replace(sale.order_reference,
    '[\\u00ad\\u200b-\\u200f\\u2060-\\u2064\\ufeff]', '', 'g'),
    '[\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]', '-', 'g'),
    '[\\u00a0\\u2000-\\u200a\\u202f\\u205f\\u3000]', ' ', 'g')), '#'))`;

/**
 * Returns the held sales that a claim with the network names by its order, and those that the network's answer about a claim names. All of them, a batch
 * at a time: those that stay held never keep a later one waiting.
 */
export async function* findClaimedSales(db: Db, { batch }: { batch: number }): AsyncGenerator<string> {
  for (let after: string | null = null; ;) {
    const { rows }: { rows: { id: string }[] } = await sql<{ id: string }>`
      select id from (
        select sale.id from claims claim join network_transactions sale
          on sale.network_id = claim.network_id and upper(ltrim(btrim(sale.order_reference), '#')) = claim.order_key
        where claim.state in ('filed', 'accepted') and claim.kind = 'untracked'
          and sale.held_because in ('no_reference', 'unknown_reference', 'claims_conflict')
        union
        select sale.id from network_transactions sale join claims claim
          on claim.network_id = sale.network_id and claim.order_key = ${unplainOrderKey}
        where claim.state in ('filed', 'accepted') and claim.kind = 'untracked'
          and sale.held_because in ('no_reference', 'unknown_reference', 'claims_conflict') and sale.order_reference ~ '[^ -~]'
        union
        select sale.id from claim_filings filing join claims claim on claim.id = filing.claim_id
        join network_transactions sale on sale.network_id = claim.network_id and sale.network_transaction_id = filing.network_transaction_id
        where claim.state in ('incomplete', 'filed', 'accepted') and claim.kind = 'untracked'
          and sale.held_because in ('no_reference', 'unknown_reference', 'unknown_programme', 'claims_conflict')
      ) named
      where ${after}::uuid is null or id > ${after}::uuid
      order by id limit ${batch}`.execute(db);
    yield* rows.map(({ id }) => id);
    if (rows.length < batch) return;
    after = rows.at(-1)!.id;
  }
}
