import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { OPEN_DISPUTE_STATES, type DisputeState } from "./dispute-rules.ts";

export interface ListedDispute {
  publicId: string;
  paymentPublicId: string;
  providerDisputeId: string;
  partner: string;
  mode: PartnerMode;
  state: DisputeState;
  reason: string;
  reference: string;
  amountPence: Pence;
  withdrawnPence: Pence;
  feePence: Pence;
  isForGiftCards: boolean;
  evidenceDueAt: Date | null;
  hasEvidence: boolean;
  openedAt: Date;
}

const columns = sql`dispute.public_id as "publicId", payment.public_id as "paymentPublicId",
  dispute.provider_dispute_id as "providerDisputeId", partner.name as partner, payment.mode, dispute.state, dispute.reason,
  payment.reference, dispute.amount_pence as "amountPence", dispute.withdrawn_pence as "withdrawnPence",
  dispute.fee_pence as "feePence", dispute.is_for_gift_cards as "isForGiftCards",
  dispute.evidence_due_at as "evidenceDueAt", dispute.has_evidence as "hasEvidence", dispute.opened_at as "openedAt"`;
const tables = sql`payment_disputes dispute join payments payment on payment.id = dispute.payment_id
  join partners partner on partner.id = payment.partner_id`;
const isOpen = sql`dispute.state in (${sql.join(OPEN_DISPUTE_STATES.map((state) => sql.lit(state)))})`;

/** Returns disputes: the open ones by the day their evidence is due; with `isAll`, also those that are over, the newest last. */
export async function listDisputes(db: Db, { isAll, max }: { isAll: boolean; max: number }): Promise<ListedDispute[]> {
  const { rows } = await sql<ListedDispute>`
    select ${columns} from ${tables} where ${isAll ? sql`true` : isOpen}
    order by not (${isOpen}), dispute.has_evidence, dispute.evidence_due_at nulls last, dispute.opened_at, dispute.id
    limit ${max}`.execute(db);
  return rows;
}

export interface DisputeHistory extends ListedDispute {
  changes: { state: DisputeState; withdrawnPence: Pence; feePence: Pence; changedAt: Date }[];
  /** Cards of the payment that its buyer keeps, and lines that ended without a card. */
  lines: { publicId: string; state: string; reason: string | null; isLost: boolean }[];
}

/** Returns the disputes with this id, of this payment, or with this id at the provider. */
export async function findDisputes(db: Db, { id }: { id: string }): Promise<DisputeHistory[]> {
  const { rows } = await sql<DisputeHistory>`
    select ${columns}, (
      select coalesce(jsonb_agg(jsonb_build_object('state', state, 'withdrawnPence', withdrawn_pence, 'feePence', fee_pence,
        'changedAt', changed_at) order by version), '[]')
      from payment_dispute_changes change where change.dispute_id = dispute.id) as changes, (
      select coalesce(jsonb_agg(jsonb_build_object('publicId', line.public_id, 'state', line.state, 'reason', line.reason,
        'isLost', line.lost_to_dispute_at is not null) order by line.line_number), '[]')
      from gift_card_orders orders join gift_card_lines line on line.order_id = orders.id
      where orders.session_id = payment.session_id and payment.idempotency_key = 'gift-card-' || orders.id) as lines
    from ${tables}
    where dispute.public_id = ${id} or payment.public_id = ${id} or dispute.provider_dispute_id = ${id}
    order by dispute.opened_at, dispute.id`.execute(db);
  return rows.map((row) => ({
    ...row,
    changes: row.changes.map((change) => ({ ...change, changedAt: new Date(change.changedAt) })),
  }));
}

export interface NotedRefund {
  paymentPublicId: string;
  providerRefundId: string;
  partner: string;
  amountPence: Pence;
  state: "done" | "returned";
  madeBy: "us" | "provider";
  madeAt: Date;
}

/** Returns the refunds that a person has to know of, the newest first: made in the provider's dashboard, or sent back by a bank. */
export async function listNotedRefunds(db: Db, { max }: { max: number }): Promise<NotedRefund[]> {
  const { rows } = await sql<NotedRefund>`
    select payment.public_id as "paymentPublicId", refund.provider_refund_id as "providerRefundId", partner.name as partner,
      refund.amount_pence as "amountPence", refund.state, refund.made_by as "madeBy", refund.asked_at as "madeAt"
    from payment_refunds refund join payments payment on payment.id = refund.payment_id
      join partners partner on partner.id = payment.partner_id
    where refund.made_by = 'provider' or refund.state = 'returned'
    order by refund.asked_at desc, refund.id limit ${max}`.execute(db);
  return rows;
}
