import { sql, type RawBuilder } from "kysely";
import { hasNumber } from "../claimed-orders/find-held-sale.server.ts";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { isHeldSaleAsked } from "./held-reasons.ts";

/** A sale of a network's report that nobody is credited for. */
export interface HeldSale {
  id: string;
  network: string;
  networkTransactionId: string;
  reason: string;
  orderReference: string | null;
  clickReference: string | null;
  /** The click of its reference; null: it is of no click of ours. */
  clickId: string | null;
  /** Whose click it was. */
  memberId: string | null;
  status: string;
  currency: string;
  saleMinor: number;
  /** What the network pays the club; null: whoever reads may not see it. */
  commissionMinor: number | null;
  purchasedAt: Date;
  heldAt: Date;
}

export interface HeldFilters {
  /** The network's number of the sale, or an order number. */
  q?: string;
  /** "person": only those that home asks somebody to look at. */
  waits?: string;
  reason?: string;
  network?: string;
}

/**
 * Returns how sales that are credited to nobody are listed, by when they were first reported. Commissions are for those alone who may see the
 * club's money (A1).
 */
export function heldSaleList(
  { q, waits, reason, network }: HeldFilters,
  { now, seesCommission }: { now: Date; seesCommission: boolean },
): ListQuery<"held"> {
  const where: RawBuilder<unknown>[] = [sql`sale.held_because is not null`];
  if (waits === "person") where.push(sql.raw(isHeldSaleAsked(`timestamptz '${now.toISOString()}'`)));
  if (reason) where.push(sql`sale.held_because = ${reason}`);
  if (network) where.push(sql`sale.network_id = (select id from networks where slug = ${network})`);
  if (q) where.push(hasNumber(q));
  return {
    from: sql`network_transactions sale join networks network on network.id = sale.network_id
      left join clicks click on click.id = sale.click_id`,
    select: sql`sale.id, network.name as network, sale.network_transaction_id as "networkTransactionId",
      sale.held_because as reason, sale.order_reference as "orderReference", sale.click_reference as "clickReference", sale.click_id as "clickId", click.member_id as "memberId",
      sale.status, sale.currency, sale.sale_minor as "saleMinor", ${seesCommission ? sql`sale.commission_minor` : sql`null::int`} as "commissionMinor",
      sale.purchased_at as "purchasedAt", sale.created_at as "heldAt"`,
    where,
    sorts: { held: { by: sql`sale.created_at`, type: "timestamptz" } },
    id: { by: sql`sale.id`, type: "uuid" },
  };
}
