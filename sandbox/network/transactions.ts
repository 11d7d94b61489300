import type { Programme } from "../catalogue/catalogue.ts";
import type { State } from "../state/state.ts";
import { amendedParts, soldParts, type SoldPart } from "./commission.ts";
import type { Network } from "./network.ts";
import { readSwitches } from "./switches.ts";

/** A product in a sale, as the advertiser's tracking reported it. */
export interface SoldProduct {
  name: string;
  sku: string;
  unitPence: number;
  quantity: number;
  category: string;
  groupId: number;
}

export type TransactionStatus = "pending" | "approved" | "declined" | "deleted";

export interface TransactionRow {
  id: number;
  advertiser_id: number;
  advertiser_name: string;
  publisher_id: number;
  awc: string | null;
  click_ref: string | null;
  more_click_refs: string;
  campaign: string | null;
  order_ref: string;
  status: TransactionStatus;
  sale_pence: number;
  commission_pence: number;
  currency: string;
  parts: string;
  products: string;
  voucher_code: string | null;
  device: string;
  ip: string | null;
  referrer: string | null;
  clicked_at: number;
  transacted_at: number;
  validated_at: number | null;
  amended_at: number | null;
  decline_reason: string | null;
  amend_reason: string | null;
  old_sale_pence: number | null;
  old_commission_pence: number | null;
  paid_to_publisher: number;
  payment_id: number;
}

/** The allowed actions of an advertiser on a transaction, by its status. */
export const transactionMoves = {
  pending: ["approve", "decline", "amend", "delete"],
  approved: ["decline", "amend", "pay"],
  declined: [],
  deleted: [],
} as const satisfies Record<TransactionStatus, readonly string[]>;

export type TransactionMove = "approve" | "decline" | "amend" | "delete" | "pay";

/** Common reasons of Awin's advertisers. */
export const declineReasons = [
  "order returned",
  "order cancelled",
  "duplicate order",
  "voucher code not allowed",
  "tracked by another channel",
  "test order",
  "breach of terms",
] as const;

export interface NewTransaction {
  programme: Programme;
  orderRef: string;
  lines: readonly { groupId: number; pence: number }[];
  products?: readonly SoldProduct[];
  awc?: string | null;
  clickRef?: string | null;
  moreClickRefs?: string;
  campaign?: string | null;
  currency?: string;
  voucherCode?: string | null;
  device?: string;
  ip?: string | null;
  referrer?: string | null;
  clickedAt?: number;
  transactedAt?: number;
}

/** Records a sale as pending, with its commission, and returns the row. Ids are never reused, not even after a reset. */
export function recordTransaction(network: Network, sale: NewTransaction): TransactionRow {
  const { state, now } = network;
  const parts = soldParts(sale.programme.commissionGroups, sale.lines);
  const lost = readSwitches(state).loseClickRefs;
  const transactedAt = sale.transactedAt ?? now();
  const id = nextTransactionId(state, now());
  state.run(
    `insert into transactions (id, advertiser_id, advertiser_name, publisher_id, awc, click_ref, more_click_refs, campaign, order_ref,
       status, sale_pence, commission_pence, currency, parts, products, voucher_code, device, ip, referrer, clicked_at, transacted_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    sale.programme.id,
    sale.programme.name,
    network.publisherId,
    sale.awc ?? null,
    lost ? null : (sale.clickRef ?? null),
    lost ? "{}" : (sale.moreClickRefs ?? "{}"),
    sale.campaign ?? null,
    sale.orderRef,
    sum(parts, "salePence"),
    sum(parts, "commissionPence"),
    sale.currency ?? sale.programme.currencyCode ?? "GBP",
    JSON.stringify(parts),
    JSON.stringify(sale.products ?? []),
    sale.voucherCode ?? null,
    sale.device ?? "Windows",
    sale.ip ?? null,
    sale.referrer ?? null,
    sale.clickedAt ?? transactedAt,
    transactedAt,
  );
  return mustFind(state, id);
}

function sum(parts: readonly SoldPart[], field: "salePence" | "commissionPence"): number {
  return parts.reduce((total, part) => total + part[field], 0);
}

/** Returns the next id: at least the Unix time, so that a sandbox whose folder was emptied does not reuse ids. */
function nextTransactionId(state: State, now: number): number {
  const last = Number(
    state.one<{ value: string }>("select value from settings where name = 'last transaction id'")?.value ?? 0,
  );
  const id = Math.max(last + 1, Math.floor(now / 1000));
  state.run(
    "insert into settings (name, value) values ('last transaction id', ?) on conflict (name) do update set value = excluded.value",
    String(id),
  );
  return id;
}

export function findTransaction(state: State, id: number): TransactionRow | undefined {
  return state.one<TransactionRow>("select * from transactions where id = ?", id);
}

function mustFind(state: State, id: number): TransactionRow {
  const row = findTransaction(state, id);
  if (!row) throw new Error(`Transaction ${id} vanished while it was being changed.`);
  return row;
}

/** Returns the newest transactions first. */
export function latestTransactions(state: State, limit: number): TransactionRow[] {
  return state.all<TransactionRow>("select * from transactions order by transacted_at desc, id desc limit ?", limit);
}

export type MoveResult = { row: TransactionRow } | { refused: string };

/**
 * Approves, declines, amends, deletes or pays a transaction, as the advertiser or the network would. An action that its status does not
 * allow is refused with a message. `salePence` is the new amount of an amendment; `reason` is the reason for a decline or amendment.
 */
export function moveTransaction(
  network: Network,
  id: number,
  move: TransactionMove,
  details: { reason?: string; salePence?: number } = {},
): MoveResult {
  const { state } = network;
  const row = findTransaction(state, id);
  if (!row) return { refused: `There is no transaction ${id}.` };
  if (!(transactionMoves[row.status] as readonly string[]).includes(move))
    return { refused: `A transaction that is ${row.status} can't take "${move}".` };
  if (move === "pay" && row.paid_to_publisher)
    return { refused: "The publisher has been paid for this transaction already." };
  const now = network.now();
  switch (move) {
    case "approve":
      state.run("update transactions set status = 'approved', validated_at = ? where id = ?", now, id);
      break;
    case "decline":
      state.run(
        "update transactions set status = 'declined', validated_at = ?, decline_reason = ? where id = ?",
        now,
        details.reason || declineReasons[0],
        id,
      );
      break;
    case "delete":
      state.run("update transactions set status = 'deleted', validated_at = ? where id = ?", now, id);
      break;
    case "pay":
      state.run(
        "update transactions set paid_to_publisher = 1, payment_id = ? where id = ?",
        Math.floor(now / 1000),
        id,
      );
      break;
    case "amend":
      return amend(network, row, details.salePence, details.reason);
  }
  return { row: mustFind(state, id) };
}

function amend(
  network: Network,
  row: TransactionRow,
  salePence: number | undefined,
  reason: string | undefined,
): MoveResult {
  if (salePence === undefined || !Number.isSafeInteger(salePence) || salePence < 0)
    return { refused: "An amendment needs the new amount of the sale, such as 12.34." };
  const groups = network.catalogue.programme(row.advertiser_id)?.commissionGroups;
  const parts = amendedParts(groups, JSON.parse(row.parts) as SoldPart[], salePence);
  network.state.run(
    `update transactions set sale_pence = ?, commission_pence = ?, parts = ?, old_sale_pence = ?, old_commission_pence = ?, amended_at = ?,
       amend_reason = ? where id = ?`,
    salePence,
    sum(parts, "commissionPence"),
    JSON.stringify(parts),
    row.sale_pence,
    row.commission_pence,
    network.now(),
    reason || "partial return",
    row.id,
  );
  return { row: mustFind(network.state, row.id) };
}

/** Removes the publisher's references from a transaction, as if the advertiser's tracking had lost them. */
export function loseClickRef(state: State, id: number): MoveResult {
  const { changes } = state.run("update transactions set click_ref = null, more_click_refs = '{}' where id = ?", id);
  return changes ? { row: mustFind(state, id) } : { refused: `There is no transaction ${id}.` };
}
