import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { findBankDetails, type BankDetailsView } from "../bank-details/operations.server.ts";
import { accountId } from "../ledger/operations.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { findListPage } from "../lists/find-list-page.server.ts";
import { batchList, type BatchSort, type ListedBatch } from "./list-batches.server.ts";
import type { Day } from "./bacs-calendar.ts";
import { findPayableNow } from "../payable/payable-now.server.ts";
import { PAYOUT_REASONS, type PayoutMethodName, type PayoutReason, type PayoutState } from "./rules.ts";

/** One withdrawal as its member sees it. */
export interface PayoutView {
  publicId: string;
  state: PayoutState;
  amountPence: number;
  requestedAt: Date;
  /** When it failed, came back or was paid. */
  settledAt: Date | null;
  /** The day on which it is, or was, in the account; null before it is at the bank. */
  entryDay: Day | null;
  reference: string;
  /** Why it failed or came back, as a sentence with what to do. */
  reason: string | null;
  /** All of its money is in the balance again, if it failed or came back. */
  isWhole: boolean;
  /** The gift card that it is taken as; null: it goes to the bank account. */
  card: TakenCard | null;
}

/** A gift card that cashback is taken as. */
export interface TakenCard {
  /** The line of its order; it is in the wallet once it is made. */
  publicId: string;
  name: string;
  facePence: number;
  /** The state of the line (gift-cards/rules.ts). */
  state: string;
}

/** The withdrawals of a member, for their pages (C6). */
export interface WithdrawalView {
  payablePence: number;
  thresholdPence: number;
  details: BankDetailsView | "unreadable" | null;
  /** What is under way. */
  open: PayoutView | null;
  /** The newest that are over, at most twenty. */
  past: PayoutView[];
  isOnHold: boolean;
  /** The member has asked to leave: how far that is. Null: they have not. */
  closing: "requested" | "awaiting_payout" | null;
  /** The account was recovered: nothing is taken as a gift card before this. Null: now. */
  giftCardsFrom: Date | null;
}

const MAX_PAST = 20;

export async function findWithdrawals(
  db: Db,
  { memberId, keys, now }: { memberId: string; keys: SecretKeys; now: Date },
): Promise<WithdrawalView> {
  const [payable, details, payouts, marks] = await Promise.all([
    findPayableNow(db, { memberId }),
    findBankDetails(db, { memberId, keys, now }),
    findPayouts(db, memberId),
    sql<{ isOnHold: boolean; closing: WithdrawalView["closing"]; giftCardsFrom: Date | null }>`
      select exists (select from payout_holds where member_id = ${memberId} and lifted_at is null) as "isOnHold",
        (select state from closures where member_id = ${memberId} and state in ('requested', 'awaiting_payout')) as closing,
        (select gift_cards_from from members where id = ${memberId} and gift_cards_from > ${now}) as "giftCardsFrom"`.execute(
      db,
    ),
  ]);
  const isOpen = ({ state }: PayoutView) => state === "requested" || state === "processing";
  return {
    payablePence: payable.payablePence,
    thresholdPence: payable.thresholdPence,
    details,
    open: payouts.find(isOpen) ?? null,
    past: payouts.filter((payout) => !isOpen(payout)),
    ...marks.rows[0]!,
  };
}

async function findPayouts(db: Db, memberId: string): Promise<PayoutView[]> {
  const { rows } = await sql<Omit<PayoutView, "reason" | "isWhole"> & { reason: PayoutReason | null }>`
    select payout.public_id as "publicId", payout.state, payout.amount_pence as "amountPence", payout.requested_at as "requestedAt",
      coalesce(payout.returned_at, payout.failed_at, payout.paid_at) as "settledAt",
      case when batch.approved_at is not null then batch.entry_day end as "entryDay",
      payout.bank_reference as reference, payout.reason, (
        select jsonb_build_object('publicId', line.public_id, 'name', product.name, 'facePence', line.face_pence, 'state', line.state)
        from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
          join gift_card_products product on product.id = line.product_id
        where orders.payout_id = payout.id) as card
    from payouts payout left join payout_batches batch on batch.id = payout.batch_id
    where payout.member_id = ${memberId}
    order by payout.requested_at desc, payout.id desc limit ${MAX_PAST + 1}`.execute(db);
  return rows.map(({ reason, ...row }) => ({
    ...row,
    reason: reason === null ? null : PAYOUT_REASONS[reason].text,
    isWhole: reason === null || PAYOUT_REASONS[reason].isWhole,
  }));
}

/** The panel about withdrawals on a member's page for money. */
export interface WithdrawalPanel {
  payablePence: number;
  thresholdPence: number;
  /** What is under way. */
  open: (Pick<PayoutView, "state" | "amountPence" | "entryDay"> & { method: PayoutMethodName }) | null;
  /** The newest that is over, if it failed or came back and nothing was asked for since. */
  lastFailure: (Pick<PayoutView, "amountPence" | "isWhole"> & { reason: string; method: PayoutMethodName }) | null;
  isOnHold: boolean;
}

/** Returns the smallest withdrawal at a brand, in pence. */
export async function findPayoutThreshold(db: Db, { brandId }: { brandId: string }): Promise<number> {
  const { rows } = await sql<{ pence: number }>`${keepPlan}
    select payout_threshold_pence as pence from brands where id = ${brandId}`.execute(db);
  const [brand] = rows;
  if (!brand) throw new Error(`There is no brand ${brandId}.`);
  return brand.pence;
}

/** Reads for each view of a page: one statement, whose plan PostgreSQL keeps, and no list of what is payable. */
export async function findWithdrawalPanel(db: Db, { memberId }: { memberId: string }): Promise<WithdrawalPanel> {
  const account = accountId({ kind: "member_payable", memberId });
  const { rows } = await sql<{
    payablePence: number;
    thresholdPence: number;
    isOnHold: boolean;
    state: PayoutState | null;
    amountPence: number;
    method: PayoutMethodName;
    entryDay: Day | null;
    reason: PayoutReason | null;
  }>`${keepPlan}
    select (coalesce((select total_pence from ledger_totals where account_id = ${account}), 0)
        + coalesce((select sum(amount_pence) from ledger_entries where account_id = ${account}
            and xact_id >= (select folded_below from ledger_watermark)), 0))::bigint as "payablePence",
      brand.payout_threshold_pence as "thresholdPence",
      exists (select from payout_holds hold where hold.member_id = member.id and hold.lifted_at is null) as "isOnHold",
      last.state, last.amount_pence as "amountPence", last.method, last.reason,
      (select entry_day from payout_batches batch where batch.id = last.batch_id and approved_at is not null) as "entryDay"
    from members member join brands brand on brand.id = member.brand_id
      left join lateral (select state, amount_pence, method, reason, batch_id from payouts
        where payouts.member_id = member.id order by requested_at desc, id desc limit 1) last on true
    where member.id = ${memberId}`.execute(db);
  const row = rows[0];
  if (!row) return { payablePence: 0, thresholdPence: 0, open: null, lastFailure: null, isOnHold: false };
  const { state, amountPence, reason, method } = row;
  const isOpen = state === "requested" || state === "processing";
  const { text, isWhole } = PAYOUT_REASONS[reason ?? "refused"];
  return {
    payablePence: row.payablePence,
    thresholdPence: row.thresholdPence,
    open: isOpen ? { state, amountPence, entryDay: row.entryDay, method } : null,
    lastFailure: isOpen || reason === null ? null : { amountPence, reason: text, isWhole, method },
    isOnHold: row.isOnHold,
  };
}

export interface PayoutForOperator {
  publicId: string;
  state: PayoutState;
  method: PayoutMethodName;
  brand: string;
  memberNumber: string;
  amountPence: number;
  requestedAt: Date;
  reference: string;
  batchNumber: number | null;
  lastError: string | null;
}

/** Returns the payouts that wait or are at the bank, and those that came back for a closed account; the oldest first. */
export async function listPayouts(db: Db): Promise<PayoutForOperator[]> {
  const { rows } = await sql<PayoutForOperator>`
    select payout.public_id as "publicId", payout.state, payout.method, brand.slug as brand, member.member_number as "memberNumber",
      payout.amount_pence as "amountPence", payout.requested_at as "requestedAt", payout.bank_reference as reference,
      batch.batch_number as "batchNumber", payout.last_error as "lastError"
    from payouts payout join members member on member.id = payout.member_id join brands brand on brand.id = payout.brand_id
      left join payout_batches batch on batch.id = payout.batch_id
    where payout.state in ('requested', 'processing') or (payout.state = 'returned' and member.closed_at is not null)
    order by payout.requested_at, payout.id`.execute(db);
  return rows;
}

/** Returns the newest batches. */
export async function listBatches(db: Db, { max }: { max: number }): Promise<ListedBatch[]> {
  const { rows } = await findListPage<ListedBatch, BatchSort>(db, batchList({}), {
    ...{ sort: "number", isDescending: true, after: null, before: null, size: max },
  });
  return rows;
}
