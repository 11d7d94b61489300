import { randomInt } from "node:crypto";
import type { Programme } from "../catalogue/catalogue.ts";
import { findClick } from "../network/clicks.ts";
import { defaultGroup } from "../network/commission.ts";
import { isOpen, type Networks } from "../network/network.ts";
import { recordTransaction, type TransactionRow } from "../network/transactions.ts";
import type { State } from "../state/state.ts";
import { emptyBasket, type Basket } from "./baskets.ts";
import type { PriceParts } from "./price-parts.ts";
import { initials, isForKnownCustomers, isForNewCustomers } from "./products.ts";

export interface OrderRow {
  order_ref: string;
  shop: string;
  basket_id: string;
  once_key: string;
  lines: string;
  goods_pence: number;
  discount_pence: number;
  delivery_pence: number;
  vat_pence: number;
  counted_pence: number;
  total_pence: number;
  voucher_code: string | null;
  currency: string;
  transaction_id: number | null;
  placed_at: number;
}

export interface OrderedLine {
  name: string;
  sku: string;
  unitPence: number;
  quantity: number;
}

export interface Purchase {
  programme: Programme;
  shop: string;
  basketId: string;
  basket: Basket;
  price: PriceParts;
  voucherCode: string | null;
  currency: string;
  /** An idempotency key: the same purchase sent twice makes one order. */
  onceKey: string;
  /** The network's checksum for the visitor; null if there is none or the visitor refused tracking. */
  awc: string | null;
  newCustomer: boolean;
  userAgent: string | null;
}

/** Returns the existing order with a purchase's key, if the same purchase was sent before. */
export function findPlacedOrder(state: State, onceKey: string): OrderRow | undefined {
  return state.one<OrderRow>("select * from orders where once_key = ?", onceKey);
}

/** Returns whether an order of this shop used a code. */
export function isCodeUsed(state: State, shop: string, code: string): boolean {
  return state.one("select 1 from orders where shop = ? and voucher_code = ?", shop, code) !== undefined;
}

/**
 * Places the order. If the visitor came through a click of the network, reports the sale to the network, without VAT and delivery: as a pending
 * transaction and its push. All in one database transaction, so that no order is reported partially.
 */
export function placeOrder(networks: Networks, purchase: Purchase): OrderRow {
  const { state } = networks;
  let tracked: TransactionRow | null = null;
  const order = state.transaction(() => {
    const orderRef = freshOrderRef(state, purchase.programme);
    tracked = track(networks, purchase, orderRef);
    const lines: OrderedLine[] = purchase.basket.lines.map(({ product, quantity }) => ({
      name: product.name,
      sku: product.sku,
      unitPence: product.pence,
      quantity,
    }));
    state.run(
      `insert into orders (order_ref, shop, basket_id, once_key, lines, goods_pence, discount_pence, delivery_pence, vat_pence, counted_pence,
         total_pence, voucher_code, currency, transaction_id, placed_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      orderRef,
      purchase.shop,
      purchase.basketId,
      purchase.onceKey,
      JSON.stringify(lines),
      purchase.price.goodsPence,
      purchase.price.discountPence,
      purchase.price.deliveryPence,
      purchase.price.vatPence,
      purchase.price.countedPence,
      purchase.price.totalPence,
      purchase.voucherCode,
      purchase.currency,
      tracked?.id ?? null,
      networks.now(),
    );
    emptyBasket(state, purchase.basketId, purchase.shop);
    if (tracked) networks.push("recorded", tracked);
    return state.one<OrderRow>("select * from orders where order_ref = ?", orderRef);
  });
  if (!order) throw new Error("The order just placed could not be read back.");
  return order;
}

function track(networks: Networks, purchase: Purchase, orderRef: string): TransactionRow | null {
  const click = purchase.awc ? findClick(networks.state, purchase.awc, purchase.programme.id) : undefined;
  if (!click || !isOpen(purchase.programme)) return null;
  const groups = purchase.programme.commissionGroups;
  const customerGroup = groups?.find(purchase.newCustomer ? isForNewCustomers : isForKnownCustomers);
  const products = purchase.basket.lines.map(({ product, quantity }) => ({
    name: product.name,
    sku: product.sku,
    unitPence: product.pence,
    quantity,
    category: product.department,
    groupId:
      product.groupId === defaultGroup(groups).groupId ? (customerGroup?.groupId ?? product.groupId) : product.groupId,
  }));
  return recordTransaction(networks.get(click.network), {
    programme: purchase.programme,
    orderRef,
    lines: products.map(({ groupId }, at) => ({ groupId, pence: purchase.price.countedLines[at] ?? 0 })),
    products,
    awc: click.awc,
    clickRef: click.click_ref,
    moreClickRefs: click.more_click_refs,
    campaign: click.campaign,
    currency: purchase.currency,
    voucherCode: purchase.voucherCode,
    device: deviceName(purchase.userAgent),
    ip: click.ip,
    referrer: click.referrer,
    clickedAt: click.clicked_at,
  });
}

function freshOrderRef(state: State, programme: Programme): string {
  for (;;) {
    const orderRef = `${initials(programme.name)}-${randomInt(10_000_000, 100_000_000)}`;
    if (!state.one("select 1 from orders where order_ref = ?", orderRef)) return orderRef;
  }
}

/** The device families that Awin reports. */
function deviceName(userAgent: string | null): string {
  const families = [
    [/iPhone/, "iPhone"],
    [/iPad/, "iPad"],
    [/Android/, "Android Mobile"],
    [/Mac OS X/, "Macintosh"],
    [/Linux/, "Linux"],
  ] as const;
  return families.find(([pattern]) => pattern.test(userAgent ?? ""))?.[1] ?? "Windows";
}
