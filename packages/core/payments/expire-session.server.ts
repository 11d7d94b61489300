import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { tryToCancel, type CancelFault } from "./cancel-payment.server.ts";
import type { CardAccounts } from "./card-accounts.ts";
import { UNDECIDED_STATES } from "./overdue-rules.ts";
import type { PaymentOwner } from "./refund-payment.server.ts";

export type ExpiredSession =
  /** Its frame can request nothing more. No payment in it can be paid unless it was already paid or processing. */
  | { outcome: "expired" }
  | { outcome: "no-such-session" }
  /** It has ended, and these payments may still be paid: a repetition tries them again. */
  | { outcome: "not-all-cancelled"; faults: CancelFault[] };

/**
 * Ends a partner's session (W10): its token opens no frame, an open frame is told that the session has ended, and its unpaid payments are
 * cancelled, each whatever becomes of the others. The session ends first, so that no payment begins after the last one was cancelled. Safe
 * to repeat.
 */
export async function expireSession(
  db: Db,
  accounts: CardAccounts,
  { id, owner, now }: { id: string; owner: PaymentOwner; now: Date },
): Promise<ExpiredSession> {
  const isEnded = await db.transaction().execute((trx) => end(trx, { id, owner, now }));
  if (!isEnded) return { outcome: "no-such-session" };
  const open = await db
    .selectFrom("payments")
    .select("public_id as publicId")
    .where("session_id", "=", id)
    .where("state", "in", ["created", ...UNDECIDED_STATES])
    .orderBy("id")
    .execute();
  const faults: CancelFault[] = [];
  for (const { publicId } of open) {
    const done = await tryToCancel(db, accounts, { publicId, owner, now });
    if (done.outcome === "not-cancelled") faults.push(done.fault);
  }
  return faults.length > 0 ? { outcome: "not-all-cancelled", faults } : { outcome: "expired" };
}

/** Ends a session, and spends its token where no frame was opened with it. Returns whether the owner has such a session. */
async function end(trx: Trx, { id, owner, now }: { id: string; owner: PaymentOwner; now: Date }): Promise<boolean> {
  const isOwn = sql`id = ${id} and partner_id = ${owner.partnerId} and mode = ${owner.mode}`;
  // In the order of the exchange: the token first, then the session that a frame may just have opened with it.
  await sql`update partner_tokens set spent_at = ${now} where ${isOwn} and spent_at is null`.execute(trx);
  // To its beginning, so that whoever asks later finds it ended, whatever their clock says and whenever their request began.
  await sql`update widget_sessions set expires_at = opened_at + interval '1 millisecond' where ${isOwn}`.execute(trx);
  const { rows } = await sql`
    select from partner_tokens where ${isOwn} union all select from widget_sessions where ${isOwn}`.execute(trx);
  return rows.length > 0;
}
