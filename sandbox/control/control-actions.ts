import { randomBytes, randomInt } from "node:crypto";
import { defaultGroup } from "../network/commission.ts";
import type { Network } from "../network/network.ts";
import { pushDateTime } from "../network/network-time.ts";
import { pushMessage, type PushMessage } from "../network/push-message.ts";
import { findTransaction, recordTransaction, type TransactionRow } from "../network/transactions.ts";
import { initials } from "../shops/products.ts";

/** Sends a transaction's push again, with its current state. Returns false if there is no such transaction. */
export function pushAgain(network: Network, id: number): boolean {
  const row = findTransaction(network.state, id);
  if (!row) return false;
  network.pushes.add("sent again", JSON.stringify(pushMessage(row)), String(row.id));
  return true;
}

/**
 * Sends pushes out of order: releases held pushes newest first; if none is held, sends the latest transactions' pushes again, newest first.
 * Returns their number.
 */
export function pushInReverse(network: Network, count: number): number {
  const released = network.pushes.release("newest first");
  if (released > 0) return released;
  const rows = network.state.all<TransactionRow>("select * from transactions order by id desc limit ?", count);
  for (const row of rows) network.pushes.add("in reverse order", JSON.stringify(pushMessage(row)), String(row.id));
  return rows.length;
}

/**
 * Sends a forged push, for a sale that the network's report does not have. It uses the newest click's
 * reference, as a forger who saw a link would. The given fields replace the invented ones.
 */
export function forgePush(network: Network, fields: Partial<PushMessage> = {}): PushMessage {
  const click = network.state.one<{ advertiser_id: number; click_ref: string | null; clicked_at: number }>(
    "select * from clicks where click_ref is not null order by clicked_at desc limit 1",
  );
  const programme = network.catalogue.programme(click?.advertiser_id ?? 0) ?? network.catalogue.programmes()[0];
  const group = defaultGroup(programme?.commissionGroups);
  const time = pushDateTime(network.now());
  const message: PushMessage = {
    transactionId: String(9_000_000_000 + randomInt(1_000_000_000)),
    transactionDate: time,
    transactionCurrency: "GBP",
    transactionAmount: "999.00",
    trackedCurrency: "GBP",
    trackedAmount: "999.00",
    affiliateId: String(network.publisherId),
    merchantId: String(programme?.id ?? 1),
    groupId: "0",
    bannerId: "0",
    clickRef: click?.click_ref ?? randomBytes(12).toString("hex"),
    clickThroughTime: pushDateTime(click?.clicked_at ?? network.now()),
    clickTime: pushDateTime(click?.clicked_at ?? network.now()),
    ip: "",
    commission: "99.90",
    url: "",
    phrase: "",
    searchEngine: "",
    commissionGroups: [
      { id: String(group.groupId), name: group.groupName, code: group.groupCode, description: group.groupName },
    ],
    products: [],
    ...fields,
  };
  network.pushes.add("forged", JSON.stringify(message), null);
  return message;
}

/** The options of a test for a sale to record. Money in pence; times as ISO 8601. */
export interface SaleRequest {
  advertiserId?: unknown;
  salePence?: unknown;
  clickRef?: unknown;
  orderRef?: unknown;
  currency?: unknown;
  voucherCode?: unknown;
  clickedAt?: unknown;
  transactedAt?: unknown;
  groupCode?: unknown;
  push?: unknown;
}

/** Records a sale without a shop, for tests, and sends its push unless `push` is false. Returns the row, or an error message. */
export function recordSale(network: Network, request: SaleRequest): TransactionRow | { refused: string } {
  const programme = network.catalogue.programme(Number(request.advertiserId));
  if (!programme) return { refused: "advertiserId must be the id of a programme in the catalogue." };
  const salePence = request.salePence;
  if (typeof salePence !== "number" || !Number.isSafeInteger(salePence) || salePence < 0)
    return { refused: "salePence must be a whole number of pence, 0 or more." };
  const group =
    programme.commissionGroups?.find((one) => one.groupCode === request.groupCode) ??
    defaultGroup(programme.commissionGroups);
  const transactedAt = timeOf(request.transactedAt);
  const clickedAt = timeOf(request.clickedAt);
  if (transactedAt === null || clickedAt === null)
    return { refused: "clickedAt and transactedAt must be times such as 2026-11-20T09:30:00Z." };
  const row = recordTransaction(network, {
    programme,
    orderRef: textOf(request.orderRef) ?? `${initials(programme.name)}-${randomInt(10_000_000, 100_000_000)}`,
    lines: [{ groupId: group.groupId, pence: salePence }],
    clickRef: textOf(request.clickRef),
    voucherCode: textOf(request.voucherCode),
    ...(textOf(request.currency) ? { currency: String(request.currency) } : {}),
    ...(transactedAt === undefined ? {} : { transactedAt }),
    ...(clickedAt === undefined ? {} : { clickedAt }),
  });
  if (request.push !== false) network.pushes.add("recorded", JSON.stringify(pushMessage(row)), String(row.id));
  return row;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** Returns undefined for an absent value, null for an invalid time. */
function timeOf(value: unknown): number | undefined | null {
  if (value === undefined || value === null) return undefined;
  const time = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Deletes everything that happened: clicks, transactions, pushes, baskets, orders, switches. Ids are still never reused. */
export function forgetEverything(network: Network): void {
  network.state.transaction(() => {
    for (const table of ["clicks", "transactions", "baskets", "orders"]) network.state.run(`delete from ${table}`);
    network.state.run("delete from deliveries where channel = 'awin'");
    network.state.run("delete from settings where name = 'switches'");
  });
}
