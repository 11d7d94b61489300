import type { Db } from "@farthing/db/client.ts";
import type { Pence } from "../money/money.ts";
import type { PartnerMode } from "../partners/mode.ts";
import type { PaymentOwner } from "./refund-payment.server.ts";
import { claimedPence } from "./dispute-row.server.ts";
import type { FailureCode } from "./failure-codes.ts";
import { failureCode } from "./payment-row.server.ts";
import type { PaymentState } from "./rules.ts";

/** A payment as its partner sees it. */
export interface PartnerPayment {
  id: string;
  mode: PartnerMode;
  state: PaymentState;
  /** Why the attempt was declined, where the payment is failed and the provider gave a reason. */
  failureCode: FailureCode | null;
  amountPence: Pence;
  /** Total of all refunds so far. */
  refundedPence: Pence;
  /** What the payer's bank has taken back or asks for: open and lost disputes. */
  disputedPence: Pence;
  /** What the payment is for: the session's reference at a fixed price, else what the visitor typed. */
  reference: string;
  description: string | null;
  /** Null for payments from before sessions were named. */
  sessionId: string | null;
  sessionReference: string | null;
  createdAt: Date;
  changedAt: Date;
}

export interface PaymentFilter {
  reference?: string | undefined;
  sessionId?: string | undefined;
  state?: PaymentState | undefined;
  /** Inclusive. */
  createdFrom?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
}

export interface PaymentPage {
  payments: PartnerPayment[];
  /** The id of the last payment here, after which the next page begins; null on the last page. */
  nextCursor: string | null;
}

const columns = [
  "public_id as id",
  "mode",
  "state",
  failureCode.as("failureCode"),
  "amount_pence as amountPence",
  "refunded_pence as refundedPence",
  claimedPence.as("disputedPence"),
  "reference",
  "description",
  "session_id as sessionId",
  "session_reference as sessionReference",
  "created_at as createdAt",
  "changed_at as changedAt",
] as const;

/** Returns one of a partner's payments; null for anybody else's, and for the other mode's. */
export async function findPartnerPayment(
  db: Db,
  { owner, publicId }: { owner: PaymentOwner; publicId: string },
): Promise<PartnerPayment | null> {
  const row = await paymentsOf(db, owner).select(columns).where("public_id", "=", publicId).executeTakeFirst();
  return row ? (row as PartnerPayment) : null;
}

/**
 * Returns a page of a partner's payments, newest first. Payments that are made while a caller reads come before the
 * first page, so no page repeats or misses one. Null: `cursor` is none of the partner's payments.
 */
export async function listPartnerPayments(
  db: Db,
  { owner, filter, cursor, max }: { owner: PaymentOwner; filter: PaymentFilter; cursor: string | null; max: number },
): Promise<PaymentPage | null> {
  let query = paymentsOf(db, owner);
  if (cursor !== null) {
    const last = await paymentsOf(db, owner).select("id").where("public_id", "=", cursor).executeTakeFirst();
    if (!last) return null;
    query = query.where("id", "<", last.id);
  }
  const { reference, sessionId, state, createdFrom, createdBefore } = filter;
  // A partner finds a payment by its own name for it, whether the payment or the visit has that name.
  if (reference !== undefined)
    query = query.where((row) => row.or([row("reference", "=", reference), row("session_reference", "=", reference)]));
  if (sessionId !== undefined) query = query.where("session_id", "=", sessionId);
  if (state !== undefined) query = query.where("state", "=", state);
  if (createdFrom !== undefined) query = query.where("created_at", ">=", createdFrom);
  if (createdBefore !== undefined) query = query.where("created_at", "<", createdBefore);
  const rows = await query
    .select(columns)
    .orderBy("payments.id", "desc")
    .limit(max + 1)
    .execute();
  const payments = rows.slice(0, max) as PartnerPayment[];
  return { payments, nextCursor: rows.length > max ? (payments.at(-1)?.id ?? null) : null };
}

function paymentsOf(db: Db, { partnerId, mode }: PaymentOwner) {
  return db.selectFrom("payments").where("partner_id", "=", partnerId).where("mode", "=", mode);
}
