import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import type { Pence } from "../money/money.ts";
import { CLAIMING_DISPUTE_STATES, type DisputePosition, type DisputeState } from "./dispute-rules.ts";

export interface DisputeRow extends DisputePosition {
  id: string;
  publicId: string;
  providerDisputeId: string;
  reason: string;
  amountPence: Pence;
  evidenceDueAt: Date | null;
  hasEvidence: boolean;
  version: number;
}

/** Returns the disputes of a payment, the oldest first. */
export async function findDisputeRows(db: Db | Trx, paymentId: string): Promise<DisputeRow[]> {
  const rows = await db
    .selectFrom("payment_disputes")
    .select([
      "id",
      "public_id as publicId",
      "provider_dispute_id as providerDisputeId",
      "state",
      "reason",
      "amount_pence as amountPence",
      "withdrawn_pence as withdrawnPence",
      "fee_pence as feePence",
      "is_for_gift_cards as isForGiftCards",
      "evidence_due_at as evidenceDueAt",
      "has_evidence as hasEvidence",
      "version",
    ])
    .where("payment_id", "=", paymentId)
    .orderBy("opened_at")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({ ...row, state: row.state as DisputeState }));
}

/** The pence of the payment `payments.id` that the payer's bank has or asks for; for a select list. */
export const claimedPence = sql<Pence>`(
  select coalesce(sum(dispute.amount_pence), 0)::bigint from payment_disputes dispute
  where dispute.payment_id = payments.id and dispute.state in (${sql.join(CLAIMING_DISPUTE_STATES.map((state) => sql.lit(state)))}))`;
