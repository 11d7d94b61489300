import type { Trx } from "@farthing/db/client.ts";
import { settleAsPaid } from "../payable/settle.server.ts";
import { failWithin } from "./operations.server.ts";
import { changePayout, lockPayout, type Payout } from "./payout-row.server.ts";
import type { PayoutReason } from "./rules.ts";

/**
 * Changes the state of a payout by gift card with that of the line of its order, in the same transaction (C6, G4). The
 * payout is sent when the issuer is asked, and paid when the card is there. When the line is refunded, the money is back
 * in the balance. The caller has locked the member.
 */
export async function followLine(
  trx: Trx,
  { payoutId, state, reason, now }: { payoutId: string; state: string; reason: string | null; now: Date },
): Promise<void> {
  const payout = await lockPayout(trx, payoutId);
  if (!payout) throw new Error(`There is no payout ${payoutId}.`);
  if (state === "issuing" && payout.state === "requested")
    await changePayout(trx, payout, { state: "processing", processing_at: now, last_error: null });
  if (state === "issued" && payout.state === "processing") await recordAsPaid(trx, payout, now);
  if (state === "refunded" || state === "cancelled")
    await failWithin(trx, payout, { reason: reasonOf(payout, reason), said: null, now });
}

async function recordAsPaid(trx: Trx, payout: Payout, now: Date): Promise<void> {
  const { id, member_id: memberId, amount_pence: amountPence } = payout;
  const entries = await trx.selectFrom("payout_entries").select("entry_id").where("payout_id", "=", id).execute();
  await changePayout(trx, payout, { state: "paid", paid_at: now });
  await settleAsPaid(trx, {
    ...{ memberId, amountPence, from: "in-transit", entryIds: entries.map(({ entry_id }) => entry_id) },
    ...{ key: `payout:${id}:paid`, cause: { kind: "payout", id }, now },
  });
}

function reasonOf({ state }: Payout, reason: string | null): PayoutReason {
  if (state === "paid") return "card_taken_back";
  if (reason === "balance-fell") return "balance_fell";
  if (reason === "cancelled") return "cancelled";
  return reason === "suspected-fraud" ? "operator" : "no_card";
}
