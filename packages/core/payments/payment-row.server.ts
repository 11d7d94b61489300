import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { claimedPence } from "./dispute-row.server.ts";
import type { FailureCode } from "./failure-codes.ts";
import type { PaymentState } from "./rules.ts";
import { GIFT_CARD_KEY } from "./schema.ts";

export interface PaymentRow {
  id: string;
  publicId: string;
  partnerId: string;
  mode: PartnerMode;
  sessionId: string | null;
  sessionReference: string | null;
  amountPence: Pence;
  refundedPence: Pence;
  /** Of it, what the payer's bank has taken back or asks for: open and lost disputes. */
  claimedPence: Pence;
  reference: string;
  state: PaymentState;
  /** Why the last attempt failed; null in every other state than `failed`. */
  failureCode: FailureCode | null;
  version: number;
  providerPaymentId: string | null;
}

/** The reason in a payment's last change. */
export const failureCode = sql<FailureCode | null>`(
  select change.failure_code from payment_changes change
  where change.payment_id = payments.id and change.version = payments.version)`;

/** Whether a payment is for gift cards: isForGiftCards in SQL. */
export const forGiftCards = sql<boolean>`starts_with(payments.idempotency_key, ${GIFT_CARD_KEY})`;

/** Returns a payment by one of its ids, or null; with `owner`, only where it is that partner's and of that mode. */
export async function findPaymentRow(
  db: Db | Trx,
  by: { publicId: string } | { providerPaymentId: string },
  owner?: { partnerId: string; mode: PartnerMode },
): Promise<PaymentRow | null> {
  const found = await db
    .selectFrom("payments")
    .select([
      "id",
      "public_id as publicId",
      "partner_id as partnerId",
      "mode",
      "session_id as sessionId",
      "session_reference as sessionReference",
      "amount_pence as amountPence",
      "refunded_pence as refundedPence",
      "reference",
      "state",
      failureCode.as("failureCode"),
      "version",
      "provider_payment_id as providerPaymentId",
      claimedPence.as("claimedPence"),
    ])
    .where((row) =>
      "publicId" in by ? row("public_id", "=", by.publicId) : row("provider_payment_id", "=", by.providerPaymentId),
    )
    .executeTakeFirst();
  if (!found || (owner && (found.partnerId !== owner.partnerId || found.mode !== owner.mode))) return null;
  return { ...found, state: found.state as PaymentState, mode: found.mode as PartnerMode };
}

/** Returns what every event of a payment tells its partner. */
export function newsOf({ publicId, reference, amountPence, sessionId, sessionReference }: PaymentRow) {
  return { paymentId: publicId, reference, amountPence, sessionId, sessionReference };
}

/** Adds a row to a payment's history. */
export async function recordChange(
  trx: Trx,
  change: {
    id: string;
    version: number;
    state: PaymentState;
    refundedPence: Pence;
    transferId: string | null;
    /** Why the attempt failed; only in the state `failed`. */
    failureCode?: FailureCode | null;
    now: Date;
  },
): Promise<void> {
  await trx
    .insertInto("payment_changes")
    .values({
      payment_id: change.id,
      version: change.version,
      state: change.state,
      refunded_pence: change.refundedPence,
      transfer_id: change.transferId,
      failure_code: change.failureCode ?? null,
      changed_at: change.now,
    })
    .execute();
}
