import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import type { Pence } from "../money/money.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { claimedPence } from "./dispute-row.server.ts";
import { OPEN_DISPUTE_STATES } from "./dispute-rules.ts";
import type { FailureCode } from "./failure-codes.ts";
import { findDisputes, type DisputeHistory, type ListedDispute } from "./list-disputes.server.ts";
import type { PaymentState } from "./rules.ts";

/** A card payment as operators list it. */
export interface OperatorPayment {
  publicId: string;
  partner: string;
  mode: PartnerMode;
  state: PaymentState;
  amountPence: Pence;
  refundedPence: Pence;
  /** Of it, what the payer's bank has taken back or asks for. */
  disputedPence: Pence;
  reference: string;
  createdAt: Date;
}

/** The filters, as they are typed; one that is missing does not narrow. */
export interface OperatorPaymentFilters {
  state?: string;
  mode?: string;
  /** The payment's id, ours or the provider's, or its reference. */
  q?: string;
}

const columns = sql`payment.public_id as "publicId", partner.name as partner, payment.mode, payment.state,
  payment.amount_pence as "amountPence", payment.refunded_pence as "refundedPence", ${claimedPence} as "disputedPence",
  payment.reference, payment.created_at as "createdAt"`;
// claimedPence names the table in full.
const tables = sql`payments payment join partners partner on partner.id = payment.partner_id
  join payments on payments.id = payment.id`;

/** Returns how card payments are listed: by state with payments_by_state, by reference with payments_by_reference. */
export function operatorPaymentList({ state, mode, q }: OperatorPaymentFilters): ListQuery<"made"> {
  const where: RawBuilder<unknown>[] = [];
  if (state) where.push(sql`payment.state = ${state}`);
  if (mode) where.push(sql`payment.mode = ${mode}`);
  if (q)
    where.push(sql`payment.id in (
      select id from payments where public_id = ${q}
      union all select id from payments where provider_payment_id = ${q}
      union all select id from payments where partner_id in (select id from partners) and reference = ${q})`);
  return {
    from: tables,
    select: columns,
    where,
    sorts: { made: { by: sql`payment.created_at`, type: "timestamptz" } },
    id: { by: sql`payment.id`, type: "uuid" },
  };
}

/** One card payment with everything that an operator asks about it. */
export interface PaymentRecord extends OperatorPayment {
  version: number;
  providerPaymentId: string | null;
  changes: {
    state: PaymentState;
    refundedPence: Pence;
    transferId: string | null;
    failureCode: FailureCode | null;
    changedAt: string;
  }[];
  refunds: {
    id: string;
    state: string;
    amountPence: Pence;
    madeBy: string;
    askedAt: string;
    lastError: string | null;
  }[];
  disputes: DisputeHistory[];
  /** The gift cards that it paid for, which are refunded one by one. */
  giftCardLines: { publicId: string; state: string }[];
}

/** Returns one payment with its history, refunds and disputes; null: there is none. */
export async function findPaymentRecord(db: Db, { publicId }: { publicId: string }): Promise<PaymentRecord | null> {
  const { rows } = await sql<Omit<PaymentRecord, "disputes">>`
    select ${columns}, payment.version, payment.provider_payment_id as "providerPaymentId", (
      select coalesce(jsonb_agg(jsonb_build_object('state', change.state, 'refundedPence', change.refunded_pence,
        'transferId', transfer_id, 'failureCode', change.failure_code, 'changedAt', change.changed_at) order by change.version), '[]')
      from payment_changes change where change.payment_id = payment.id) as changes, (
      select coalesce(jsonb_agg(jsonb_build_object('id', refund.id, 'state', refund.state, 'amountPence', refund.amount_pence,
        'madeBy', made_by, 'askedAt', asked_at, 'lastError', last_error) order by asked_at, refund.id), '[]')
      from payment_refunds refund where refund.payment_id = payment.id) as refunds, (
      select coalesce(jsonb_agg(jsonb_build_object('publicId', line.public_id, 'state', line.state) order by line.id), '[]')
      from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
      where orders.session_id = payment.session_id and payment.idempotency_key = 'gift-card-' || orders.id) as "giftCardLines"
    from ${tables} where payment.public_id = ${publicId}`.execute(db);
  const row = rows[0];
  return row ? { ...row, disputes: await findDisputes(db, { id: publicId }) } : null;
}

/** Returns how disputes are listed: the open ones, unless `state` says otherwise, by the day their evidence is due. */
export function disputeList({ state }: { state?: string }): ListQuery<"due" | "opened"> {
  const open = sql.join(OPEN_DISPUTE_STATES.map((one) => sql.lit(one)));
  return {
    from: sql`payment_disputes dispute join payments payment on payment.id = dispute.payment_id
      join partners partner on partner.id = payment.partner_id`,
    select: sql`dispute.public_id as "publicId", payment.public_id as "paymentPublicId",
      dispute.provider_dispute_id as "providerDisputeId", partner.name as partner, payment.mode, dispute.state, dispute.reason,
      payment.reference, dispute.amount_pence as "amountPence", dispute.withdrawn_pence as "withdrawnPence",
      dispute.fee_pence as "feePence", dispute.is_for_gift_cards as "isForGiftCards",
      dispute.evidence_due_at as "evidenceDueAt", dispute.has_evidence as "hasEvidence", dispute.opened_at as "openedAt"`,
    where:
      state === "all"
        ? []
        : state === "evidence"
          ? [sql`dispute.state in ('inquiry', 'needs_response') and not dispute.has_evidence`]
          : state
            ? [sql`dispute.state = ${state}`]
            : [sql`dispute.state in (${open})`],
    sorts: {
      due: { by: sql`coalesce(dispute.evidence_due_at, 'infinity')`, type: "timestamptz" },
      opened: { by: sql`dispute.opened_at`, type: "timestamptz" },
    },
    id: { by: sql`dispute.id`, type: "uuid" },
  };
}

export type { ListedDispute };
