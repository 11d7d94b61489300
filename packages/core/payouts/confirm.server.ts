import type { Db, Trx } from "@farthing/db/client.ts";
import { openBankAccount } from "../bank-details/bank-seal.ts";
import { endingOf } from "../bank-details/bank-account.ts";
import { closeAfterPayout } from "../closures/close-member.server.ts";
import { lockMember } from "../members/lock-member.server.ts";
import type { SecretKeys } from "../secrets/sealed-secret.ts";
import { announce } from "./announce.server.ts";
import { isOver, type Day } from "./bacs-calendar.ts";
import { wasDownloaded } from "./batch-files.server.ts";
import { changePayout, lockPayout } from "./payout-row.server.ts";
import { settleAsPaid } from "../payable/settle.server.ts";

export type ConfirmedBatch =
  | { outcome: "unknown" | "not-approved" | "cancelled" }
  /** Nobody has had its file, so the bank has paid nothing of it: it is cancelled instead. */
  | { outcome: "never-downloaded" }
  | { outcome: "too-early"; processingDay: Day }
  | {
      outcome: "confirmed" | "incomplete";
      paid: number;
      paidPence: number;
      /** Payouts that could not be recorded; the others are paid, and a repeated confirm tries these again. */
      failed: { publicId: string; error: unknown }[];
    };

/**
 * Records that the bank has paid a batch, once its processing day is over (C6). What the bank's failures file named before
 * is left out. One transaction for each member, so that one that fails holds up nobody; repeating it does nothing more.
 */
export async function confirmBatch(
  db: Db,
  { batchNumber, bankKeys, by, now }: { batchNumber: number; bankKeys: SecretKeys; by: string; now: Date },
): Promise<ConfirmedBatch> {
  const batch = await db
    .selectFrom("payout_batches")
    .selectAll()
    .where("batch_number", "=", batchNumber)
    .executeTakeFirst();
  if (!batch) return { outcome: "unknown" };
  if (batch.approved_at === null) return { outcome: "not-approved" };
  if (batch.cancelled_at !== null) return { outcome: "cancelled" };
  if (!isOver(batch.processing_day, now)) return { outcome: "too-early", processingDay: batch.processing_day };
  if (!(await wasDownloaded(db, { batchNumber }))) return { outcome: "never-downloaded" };
  const waiting = await db
    .selectFrom("payouts")
    .select(["id", "member_id", "public_id", "amount_pence"])
    .where("batch_id", "=", batch.id)
    .where("state", "=", "processing")
    .orderBy("id")
    .execute();
  const failed: { publicId: string; error: unknown }[] = [];
  let [paid, paidPence] = [0, 0];
  for (const { id, member_id, public_id, amount_pence } of waiting)
    try {
      const one = { id, memberId: member_id, entryDay: batch.entry_day, bankKeys, by, now };
      if (!(await db.transaction().execute((trx) => confirmOne(trx, one)))) continue;
      paid += 1;
      paidPence += amount_pence;
    } catch (error) {
      failed.push({ publicId: public_id, error });
    }
  if (failed.length > 0) return { outcome: "incomplete", paid, paidPence, failed };
  await db
    .updateTable("payout_batches")
    .set({ confirmed_at: now, confirmed_by: by })
    .where("id", "=", batch.id)
    .where("confirmed_at", "is", null)
    .execute();
  return { outcome: "confirmed", paid, paidPence, failed };
}

async function confirmOne(
  trx: Trx,
  one: { id: string; memberId: string; entryDay: Day; bankKeys: SecretKeys; by: string; now: Date },
): Promise<boolean> {
  const { id, memberId, entryDay, bankKeys, by, now } = one;
  const member = await lockMember(trx, { memberId });
  const payout = await lockPayout(trx, id);
  if (!member || payout?.state !== "processing") return false;
  const entries = await trx.selectFrom("payout_entries").select("entry_id").where("payout_id", "=", id).execute();
  const paid = await changePayout(trx, payout, { state: "paid", paid_at: now });
  await settleAsPaid(trx, {
    memberId,
    amountPence: payout.amount_pence,
    from: "in-transit",
    entryIds: entries.map(({ entry_id }) => entry_id),
    key: `payout:${id}:paid`,
    cause: { kind: "payout", id },
    now,
  });
  const accountEnding = endingIn(payout.payee, memberId, bankKeys);
  if (payout.closure_id !== null)
    await closeAfterPayout(trx, { memberId, paidPence: payout.amount_pence, accountEnding, by, now });
  else {
    const { amount_pence: amountPence, bank_reference: reference } = payout;
    await announce(trx, paid, { kind: "payout-paid", amountPence, accountEnding, entryDay, reference }, now);
  }
  return true;
}

/** Returns the last digits for the mail. Null where they cannot be decrypted: the payment must still be recorded. */
function endingIn(payee: string | null, memberId: string, keys: SecretKeys): string | null {
  try {
    return payee === null ? null : endingOf(openBankAccount(payee, memberId, keys));
  } catch {
    return null;
  }
}
