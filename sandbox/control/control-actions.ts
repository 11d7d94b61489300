import { randomBytes, randomInt } from "node:crypto";
import { defaultGroup } from "../network/commission.ts";
import type { Network, Networks } from "../network/network.ts";
import { pushDateTime } from "../network/zone-time.ts";
import type { DeliveryRow } from "../deliveries/delivery-queue.ts";
import type { PushMessage } from "../network/awin/awin-push-message.ts";
import {
  findTransaction,
  moveTransaction,
  recordTransaction,
  type MoveResult,
  type TransactionMove,
  type TransactionRow,
} from "../network/transactions.ts";
import { initials } from "../shops/products.ts";

/** Sends a transaction's push again, with its current state. Returns false if there is no such transaction. */
export function pushAgain(networks: Networks, id: number): boolean {
  const row = findTransaction(networks.state, id);
  return row !== undefined && networks.push("sent again", row);
}

/** Moves a transaction at its own network, as moveTransaction. */
export function moveAtItsNetwork(
  networks: Networks,
  id: number,
  move: TransactionMove,
  details: { reason?: string; salePence?: number } = {},
): MoveResult {
  const row = findTransaction(networks.state, id);
  return row
    ? moveTransaction(networks.get(row.network), id, move, details)
    : { refused: `There is no transaction ${id}.` };
}

/** Resolves when every due push of every network has been sent. */
export async function pushesSettled(networks: Networks): Promise<void> {
  for (const network of networks.all) await network.pushes.settled();
}

/**
 * Sends pushes out of order: releases held pushes newest first; if none is held, sends the latest transactions' pushes again, newest first.
 * Returns their number.
 */
export function pushInReverse(networks: Networks, count: number): number {
  const released = networks.all.reduce((total, { pushes }) => total + pushes.release("newest first"), 0);
  if (released > 0) return released;
  const rows = networks.state.all<TransactionRow>("select * from transactions order by id desc limit ?", count);
  return rows.filter((row) => networks.push("in reverse order", row)).length;
}

/**
 * Sends a forged push at a network other than Awin, in its format. Returns its text, or null where the network sends no pushes.
 */
export function forgePushAt(networks: Networks, network: Network): string | null {
  const now = network.now();
  const click = networks.state.one<{ advertiser_id: number; click_ref: string | null }>(
    "select * from clicks where network = ? and click_ref is not null order by clicked_at desc limit 1",
    network.slug,
  );
  const programme = networks.catalogue.programme(click?.advertiser_id ?? 0) ?? networks.catalogue.programmes()[0];
  const group = defaultGroup(programme?.commissionGroups);
  const text = networks.pushText({
    id: 9_000_000_000 + randomInt(1_000_000_000),
    network: network.slug,
    kind: "sale",
    advertiser_id: programme?.id ?? 1,
    advertiser_name: programme?.name ?? "Unknown",
    publisher_id: 0,
    awc: null,
    click_ref: click?.click_ref ?? randomBytes(12).toString("hex"),
    more_click_refs: "{}",
    campaign: null,
    order_ref: `FORGED-${randomInt(10_000_000, 100_000_000)}`,
    status: "approved",
    sale_pence: 99_900,
    commission_pence: 9_990,
    currency: "GBP",
    parts: JSON.stringify([{ ...group, salePence: 99_900, commissionPence: 9_990 }]),
    products: "[]",
    voucher_code: null,
    device: "Windows",
    ip: null,
    referrer: null,
    clicked_at: now,
    transacted_at: now,
    validated_at: null,
    amended_at: null,
    decline_reason: null,
    amend_reason: null,
    old_sale_pence: null,
    old_commission_pence: null,
    paid_to_publisher: 0,
    payment_id: 0,
    paid_at: null,
    changed_at: now,
  });
  if (text !== null) network.pushes.add("forged", text, null);
  return text;
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
    affiliateId: network.publisherId,
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
  /** The slug of the network that tracked it; the default is the first. */
  network?: unknown;
  advertiserId?: unknown;
  salePence?: unknown;
  /** Makes it a lead: no amount of sale, this commission. */
  leadCommissionPence?: unknown;
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
export function recordSale(networks: Networks, request: SaleRequest): TransactionRow | { refused: string } {
  const network = networks.find(textOf(request.network) ?? networks.all[0]!.slug);
  if (!network) return { refused: "network must be the slug of a network that the sandbox plays." };
  const programme = networks.catalogue.programme(Number(request.advertiserId));
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
  const lead = request.leadCommissionPence;
  const row = recordTransaction(network, {
    programme,
    ...(typeof lead === "number" && Number.isSafeInteger(lead) && lead >= 0 ? { leadCommissionPence: lead } : {}),
    orderRef: textOf(request.orderRef) ?? `${initials(programme.name)}-${randomInt(10_000_000, 100_000_000)}`,
    lines: [{ groupId: group.groupId, pence: salePence }],
    clickRef: textOf(request.clickRef),
    voucherCode: textOf(request.voucherCode),
    ...(textOf(request.currency) ? { currency: String(request.currency) } : {}),
    ...(transactedAt === undefined ? {} : { transactedAt }),
    ...(clickedAt === undefined ? {} : { clickedAt }),
  });
  if (request.push !== false) networks.push("recorded", row);
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

/** Deletes everything that happened: clicks, transactions, pushes, baskets, orders, switches, faults, the clock. Ids are still never reused. */
export function forgetEverything({ state, all }: Networks): void {
  state.transaction(() => {
    for (const table of ["clicks", "transactions", "transaction_events", "baskets", "orders"])
      state.run(`delete from ${table}`);
    for (const { slug } of all) state.run("delete from deliveries where channel = ?", slug);
    state.run("delete from settings where name <> 'last transaction id'");
  });
}

/** Releases the held pushes of all networks. Returns their number. */
export function releasePushes({ all }: Networks, order: "oldest first" | "newest first"): number {
  return all.reduce((total, { pushes }) => total + pushes.release(order), 0);
}

/** Returns the newest pushes of all networks first. */
export function latestPushes({ all }: Networks, limit: number): DeliveryRow[] {
  return all
    .flatMap(({ pushes }) => pushes.latest(limit))
    .sort((a, b) => b.id - a.id)
    .slice(0, limit);
}
