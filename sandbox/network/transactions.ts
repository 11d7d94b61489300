import type { Programme } from "../catalogue/catalogue.ts";
import type { State } from "../state/state.ts";
import { amendedParts, soldParts, type SoldPart } from "./commission.ts";
import type { Network } from "./network.ts";
import { readSwitches } from "./switches.ts";
import type { TransactionRow, TransactionStatus } from "./transaction-row.ts";

export type { TransactionRow } from "./transaction-row.ts";

/** A product in a sale, as the advertiser's tracking reported it. */
export interface SoldProduct {
  name: string;
  sku: string;
  unitPence: number;
  quantity: number;
  category: string;
  groupId: number;
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
  /** A lead has no amount; the advertiser pays this commission. */
  leadCommissionPence?: number;
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
  const parts = soldParts(sale.programme.commissionGroups, sale.lines).map((part) =>
    sale.leadCommissionPence === undefined
      ? part
      : { ...part, salePence: 0, commissionPence: sale.leadCommissionPence },
  );
  const lost = readSwitches(state, network.slug).loseClickRefs;
  const isLead = sale.leadCommissionPence !== undefined;
  const transactedAt = sale.transactedAt ?? now();
  const id = nextTransactionId(state, now());
  state.run(
    `insert into transactions (id, network, kind, changed_at, advertiser_id, advertiser_name, publisher_id, awc, click_ref, more_click_refs, campaign, order_ref,
       status, sale_pence, commission_pence, currency, parts, products, voucher_code, device, ip, referrer, clicked_at, transacted_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'pending', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    network.slug,
    isLead ? "lead" : "sale",
    Math.max(transactedAt, now()),
    sale.programme.id,
    sale.programme.name,
    Number(network.publisherId) || 0,
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
  const row = mustFind(state, id);
  noteEvent(network, row, "recorded", null);
  return row;
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
  if (!row || row.network !== network.slug) return { refused: `There is no transaction ${id}.` };
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
        "update transactions set paid_to_publisher = 1, payment_id = ?, paid_at = ? where id = ?",
        Math.floor(now / 1000),
        now,
        id,
      );
      break;
    case "amend": {
      const amended = amend(network, row, details.salePence, details.reason);
      if ("refused" in amended) return amended;
      break;
    }
  }
  state.run("update transactions set changed_at = ? where id = ?", now, id);
  const moved = mustFind(state, id);
  noteEvent(network, moved, MOVED[move], row);
  return { row: moved };
}

const MOVED = {
  approve: "approved",
  decline: "declined",
  amend: "amended",
  delete: "deleted",
  pay: "paid",
} as const satisfies Record<TransactionMove, string>;

/** Something that happened to a transaction. Amounts are those after it; a declined or deleted sale is worth nothing. */
export interface TransactionEvent {
  id: number;
  transaction_id: number;
  network: string;
  kind: "recorded" | (typeof MOVED)[TransactionMove];
  sale_pence: number;
  commission_pence: number;
  sale_difference: number;
  commission_difference: number;
  reason: string | null;
  happened_at: number;
}

/** Returns a network's events of a time, both ends included, oldest first. */
export function eventsBetween(network: Network, from: number, to: number): TransactionEvent[] {
  return network.state.all<TransactionEvent>(
    "select * from transaction_events where network = ? and happened_at >= ? and happened_at <= ? order by happened_at, id",
    network.slug,
    from,
    to,
  );
}

/** Returns a transaction's events, oldest first. */
export function eventsOf(state: State, transactionId: number): TransactionEvent[] {
  return state.all<TransactionEvent>(
    "select * from transaction_events where transaction_id = ? order by id",
    transactionId,
  );
}

function noteEvent(
  network: Network,
  row: TransactionRow,
  kind: TransactionEvent["kind"],
  before: TransactionRow | null,
): void {
  const isWorth = (one: TransactionRow) => one.status === "pending" || one.status === "approved";
  const worth = isWorth(row) ? row : { sale_pence: 0, commission_pence: 0 };
  const was = before && isWorth(before) ? before : { sale_pence: 0, commission_pence: 0 };
  network.state.run(
    `insert into transaction_events (transaction_id, network, kind, sale_pence, commission_pence, sale_difference, commission_difference,
       reason, happened_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    row.id,
    network.slug,
    kind,
    worth.sale_pence,
    worth.commission_pence,
    worth.sale_pence - was.sale_pence,
    worth.commission_pence - was.commission_pence,
    kind === "amended" ? row.amend_reason : row.decline_reason,
    kind === "recorded" ? row.transacted_at : network.now(),
  );
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
