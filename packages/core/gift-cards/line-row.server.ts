import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlanIfDirect } from "@farthing/db/kept-plans.ts";
import { sql } from "kysely";
import { postTransfer } from "../ledger/operations.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import { followLine } from "../payouts/follow-line.server.ts";
import type { PayoutState } from "../payouts/rules.ts";
import { differenceOf, type TransferKind } from "../ledger/rules.ts";
import type { Pence } from "../money/money.ts";
import type { PaymentState } from "../payments/rules.ts";
import { GIFT_CARD_KEY } from "../payments/schema.ts";
import type { CardAmounts, CardOrder } from "./issuer.ts";
import { disputeTrouble } from "./payment-trouble.server.ts";
import { announceOutcome } from "./announce-order.server.ts";
import { endGift, noteIssuedCard } from "./gifts.server.ts";
import { isCardGone } from "./presents-rules.ts";
import { lineLegs, type CardState, type CashbackState, type LinePosition, type PaymentTrouble } from "./rules.ts";
import type { LineState } from "./rules.ts";
import { isProductSold } from "./sold-products.server.ts";

/** A line with what its next step depends on. */
export interface LineRow extends LinePosition {
  id: string;
  publicId: string;
  orderId: string;
  orderPublicId: string;
  /** The buyer has the receipt, or was told that the order takes long. */
  isTold: boolean;
  placedAt: Date;
  totalPence: Pence;
  buyerMark: Buffer;
  version: number;
  reason: string | null;
  issueCalls: number;
  lastIssueAt: Date | null;
  paidAt: Date | null;
  /** When it last became `issuing`. */
  issuingSince: Date | null;
  issuedAt: Date | null;
  reversingSince: Date | null;
  memberSince: Date | null;
  /** The buyer's bank took back what the card was bought with. */
  lostToDisputeAt: Date | null;
  issuer: string;
  issuerProductId: string;
  product: {
    amounts: CardAmounts;
    isSold: boolean;
    issuerDiscountBp: number;
    rewardKind: "discount" | "cashback";
    rewardBp: number;
    feePence: Pence;
  };
  /** What it is paid with instead of a card: the member's cashback. Null: a card payment. */
  payout: { id: string; state: PayoutState; isOnHold: boolean } | null;
  /** Null: nobody has begun to pay, or it is paid with cashback. */
  payment: (PaymentTrouble & { publicId: string; state: PaymentState }) | null;
}

type FlatRow = Omit<LineRow, "product" | "payment" | "payout" | "isPayout"> & {
  amounts: number[] | null;
  minPence: number | null;
  maxPence: number | null;
  stepPence: number | null;
  isSold: boolean;
  issuerDiscountBp: number;
  rewardKind: "discount" | "cashback";
  rewardBp: number;
  productFeePence: Pence;
  paymentPublicId: string | null;
  paymentState: PaymentState;
  paymentPence: Pence;
  paymentRefundedPence: Pence;
  refundedLinesPence: Pence;
  isDisputed: boolean;
  isLost: boolean;
  claimedPence: Pence;
  payoutId: string | null;
  payoutState: PayoutState;
  isOnHold: boolean;
};

/** The key of an order's payment (`payments.idempotency_key`): it can't be guessed, because nobody sees the id. */
export function paymentKey(orderId: string): string {
  return `${GIFT_CARD_KEY}${orderId}`;
}

/** Returns a line; null where there is none. Its payment is found by its key, also where nothing else was noted. */
export async function findLine(db: Db | Trx, by: { id: string } | { publicId: string }): Promise<LineRow | null> {
  const where = "id" in by ? sql`line.id = ${by.id}` : sql`line.public_id = ${by.publicId}`;
  const { rows } = await sql<FlatRow>`${keepPlanIfDirect}
    select line.id, line.public_id as "publicId", line.order_id as "orderId", orders.public_id as "orderPublicId",
      orders.receipt_refunds is not null or orders.delay_told_at is not null as "isTold", orders.placed_at as "placedAt", orders.total_pence as "totalPence", orders.buyer_mark as "buyerMark",
      orders.member_id as "memberId", member.created_at as "memberSince",
      line.state, line.version, line.card_state as "cardState", line.cashback_state as "cashbackState", line.reason,
      line.face_pence as "facePence", line.price_pence as "pricePence", line.fee_pence as "feePence",
      line.cashback_pence as "cashbackPence", line.cost_pence as "costPence",
      line.issue_calls as "issueCalls", line.last_issue_at as "lastIssueAt", line.paid_at as "paidAt",
      coalesce(line.issuing_since, line.paid_at) as "issuingSince", line.issued_at as "issuedAt",
      line.reversing_since as "reversingSince", line.lost_to_dispute_at as "lostToDisputeAt",
      product.issuer, product.issuer_product_id as "issuerProductId", product.amounts_pence as amounts,
      product.min_pence as "minPence", product.max_pence as "maxPence", product.step_pence as "stepPence",
      ${isProductSold} as "isSold",
      product.issuer_discount_bp as "issuerDiscountBp", product.reward_kind as "rewardKind", product.reward_bp as "rewardBp",
      product.fee_pence as "productFeePence",
      payment.public_id as "paymentPublicId", payment.state as "paymentState", payment.amount_pence as "paymentPence",
      payment.refunded_pence as "paymentRefundedPence",
      (select coalesce(sum(other.price_pence + other.fee_pence), 0)::bigint from gift_card_lines other
        where other.order_id = line.order_id and other.state in ('refunding', 'refunded')) as "refundedLinesPence",
      payout.id as "payoutId", payout.state as "payoutState",
      exists (select from payout_holds hold where hold.member_id = payout.member_id and hold.lifted_at is null) as "isOnHold",
      ${disputeTrouble}
    from gift_card_lines line
      join gift_card_orders orders on orders.id = line.order_id
      join gift_card_products product on product.id = line.product_id
      left join members member on member.id = orders.member_id
      left join payouts payout on payout.id = orders.payout_id
      left join payments payment on payment.session_id = orders.session_id and payment.partner_id = orders.partner_id
        and payment.mode = 'live' and payment.idempotency_key = 'gift-card-' || orders.id
    where ${where}`.execute(db);
  const row = rows[0];
  return row ? nest(row) : null;
}

function nest(row: FlatRow): LineRow {
  const { amounts, minPence, maxPence, stepPence, isSold, issuerDiscountBp, rewardKind, rewardBp, productFeePence } =
    row;
  const { payoutId, payoutState, isOnHold } = row;
  return {
    ...row,
    isPayout: payoutId !== null,
    payout: payoutId === null ? null : { id: payoutId, state: payoutState, isOnHold },
    product: {
      amounts: readAmounts({ amounts, minPence, maxPence, stepPence }),
      isSold,
      issuerDiscountBp,
      rewardKind,
      rewardBp,
      feePence: productFeePence,
    },
    payment:
      row.paymentPublicId === null
        ? null
        : {
            publicId: row.paymentPublicId,
            state: row.paymentState,
            amountPence: row.paymentPence,
            refundedPence: row.paymentRefundedPence,
            refundedLinesPence: row.refundedLinesPence,
            isDisputed: row.isDisputed,
            isLost: row.isLost,
            claimedPence: row.claimedPence,
          },
  };
}

/** Returns a product's amounts from its columns. */
export function readAmounts(columns: {
  amounts: readonly number[] | null;
  minPence: number | null;
  maxPence: number | null;
  stepPence: number | null;
}): CardAmounts {
  const { amounts, minPence, maxPence, stepPence } = columns;
  if (amounts) return { kind: "fixed", amountsPence: amounts.map(Number) };
  return { kind: "range", minPence: minPence ?? 0, maxPence: maxPence ?? 0, stepPence: stepPence ?? 1 };
}

/** Returns what the issuer is asked about: our reference is the line's public id. */
export function cardOrderOf(line: LineRow): CardOrder {
  const { publicId, issuerProductId, facePence } = line;
  return { clientReference: `gc-${publicId}`, issuerProductId, faceValuePence: facePence };
}

export interface LineChange {
  state?: LineState;
  cardState?: CardState;
  cashbackState?: CashbackState;
  costPence?: Pence;
  reason?: string | null;
  /** When the next step is due; null: there is none. */
  nextStepAt: Date | null;
  /** Other columns to write. */
  set?: {
    sealed_card?: string;
    issuer_reference?: string;
    expires_on?: string | null;
    lost_to_dispute_at?: Date | null;
  };
  /** `saga`, or an operator's name. */
  by: string;
  now: Date;
}

/**
 * Changes a line with its posting and its history, in one transaction. Returns false, and changes nothing, if the line
 * has changed since it was read.
 */
export async function changeLine(db: Db, line: LineRow, change: LineChange): Promise<boolean> {
  return db.transaction().execute((trx) => changeLineIn(trx, line, change));
}

async function changeLineIn(trx: Trx, line: LineRow, change: LineChange): Promise<boolean> {
  const { now, by, nextStepAt, set } = change;
  const version = line.version + 1;
  // The member first, then the line (docs/decisions/065-order-of-locks.md).
  if (line.payout && line.memberId !== null) await lockMember(trx, { memberId: line.memberId });
  const to: LineRow = {
    ...line,
    state: change.state ?? line.state,
    cardState: change.cardState ?? line.cardState,
    cashbackState: change.cashbackState ?? line.cashbackState,
    costPence: change.costPence ?? line.costPence,
    reason: change.reason === undefined ? line.reason : change.reason,
  };
  const isNew = (state: LineState) => to.state === state && line.state !== state;
  const { numUpdatedRows } = await trx
    .updateTable("gift_card_lines")
    .set({
      ...set,
      state: to.state,
      version,
      card_state: to.cardState,
      cashback_state: to.cashbackState,
      cost_pence: to.costPence,
      reason: to.reason,
      next_step_at: nextStepAt,
      attempts: 0,
      last_error: null,
      ...(line.paidAt === null && to.state !== "cancelled" ? { paid_at: now } : {}),
      ...(to.cardState === "issued" && line.cardState !== "issued" ? { issued_at: now } : {}),
      ...(isNew("issuing") ? { issuing_since: now } : {}),
      ...(isNew("reversing") ? { reversing_since: now } : {}),
      ...(isNew("refunded") ? { refunded_at: now } : {}),
    })
    .where("id", "=", line.id)
    .where("version", "=", line.version)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) return false;
  if (line.payout && to.state !== line.state)
    await followLine(trx, { payoutId: line.payout.id, state: to.state, reason: to.reason, now });
  const legs = differenceOf(lineLegs(line), lineLegs(to));
  const posted =
    legs.length === 0
      ? null
      : await postTransfer(trx, {
          key: `gift_card:${line.id}:${version}`,
          kind: transferKind(line, to),
          legs,
          cause: { kind: "gift_card_line", id: line.id },
          happenedAt: now,
        });
  await trx
    .insertInto("gift_card_line_changes")
    .values({
      line_id: line.id,
      version,
      state: to.state,
      card_state: to.cardState,
      reason: to.reason,
      changed_by: by,
      transfer_id: posted?.transferId ?? null,
      changed_at: now,
    })
    .execute();
  if (isNew("issued")) await noteIssuedCard(trx, { lineId: line.id, now });
  if (isCardGone(to.state)) await endGift(trx, { lineId: line.id, now });
  if (isNew("issued") || isNew("refunded") || isNew("charged_back"))
    await announceOutcome(trx, { orderId: line.orderId, now });
  return true;
}

function transferKind(from: LineRow, to: LineRow): TransferKind {
  if (to.state === "charged_back" && from.state !== "charged_back") return "gift_card_charged_back";
  if (from.state === "charged_back" && to.state !== "charged_back") return "gift_card_charge_back_ended";
  if (to.cardState === "lost") return "gift_card_lost";
  if (from.cardState !== "issued") return "gift_card_sold";
  if (to.cardState !== "issued") return "gift_card_reversed";
  if (to.cashbackState === "none") return "gift_card_cashback_reversed";
  return from.cashbackState === "none" ? "gift_card_cashback_restored" : "gift_card_cashback_payable";
}
