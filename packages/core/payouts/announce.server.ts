import type { Trx } from "@farthing/db/client.ts";
import { findClosure } from "../closures/closure-row.server.ts";
import type { Mail } from "../mails/mail.ts";
import { queueMail } from "../mails/operations.server.ts";
import type { Payout } from "./payout-row.server.ts";
import { PAYOUT_REASONS } from "./rules.ts";

/** Writes to a member about their payout, unless their account is closed: a closed account has no address. */
export async function announce(trx: Trx, payout: Payout, mail: Mail, now: Date): Promise<void> {
  const member = await trx
    .selectFrom("members")
    .select("email")
    .where("id", "=", payout.member_id)
    .where("closed_at", "is", null)
    .executeTakeFirst();
  if (member)
    await queueMail(trx, { brandId: payout.brand_id, memberId: payout.member_id, to: member.email, mail, now });
}

/** Writes to a member whose payout failed or came back. One who has asked to leave since can't withdraw again. */
export async function announceFailure(trx: Trx, payout: Payout, now: Date): Promise<void> {
  const { text, endsDetails, isWhole } = PAYOUT_REASONS[payout.reason ?? "refused"];
  const mail = {
    kind: "payout-failed",
    amountPence: payout.amount_pence,
    reason: text,
    needsDetails: endsDetails,
    isWhole,
    isLeaving: (await findClosure(trx, payout.member_id)) !== null,
  } as const;
  await announce(trx, payout, mail, now);
}
