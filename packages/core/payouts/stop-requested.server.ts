import type { Trx } from "@farthing/db/client.ts";
import { announceFailure } from "./announce.server.ts";
import { failWithin } from "./operations.server.ts";
import { lockPayout } from "./payout-row.server.ts";
import type { PayoutReason } from "./rules.ts";

/** Returns the payout to the bank that a member has asked for and that is in no batch, and its amount. Lock the member first. */
export async function findRequested(
  trx: Trx,
  { memberId }: { memberId: string },
): Promise<{ id: string; amountPence: number } | undefined> {
  return trx
    .selectFrom("payouts")
    .select(["id", "amount_pence as amountPence"])
    .where("member_id", "=", memberId)
    .where("state", "=", "requested")
    .where("method", "=", "bank")
    .executeTakeFirst();
}

/**
 * Ends the payout that a locked member has asked for and that is in no batch: its money is payable again, and the member
 * is told. Without one, nothing happens.
 */
export async function stopRequested(
  trx: Trx,
  { memberId, reason, now }: { memberId: string; reason: PayoutReason; now: Date },
): Promise<void> {
  const found = await findRequested(trx, { memberId });
  const payout = found && (await lockPayout(trx, found.id));
  if (payout?.state !== "requested") return;
  const over = await failWithin(trx, payout, { reason, said: null, now });
  await announceFailure(trx, over, now);
}
