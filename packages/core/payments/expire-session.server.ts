import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { cancelPayment } from "./cancel-payment.server.ts";
import type { CardAccounts } from "./card-accounts.ts";
import type { PaymentOwner } from "./refund-payment.server.ts";

export type ExpiredSession =
  /** Its frame asks for nothing any more, and none of its payments can be paid that was not paid or processed by then. */
  { outcome: "expired" } | { outcome: "no-such-session" } | { outcome: "contradiction"; why: string };

/**
 * Ends a partner's session (W10): its token opens no frame, an open frame is told that the session has ended, and its unpaid payments are
 * cancelled. The session ends first, so that no payment begins after the last one was cancelled. Safe to repeat.
 * @throws CardProviderUnavailableError, CardProviderRefusalError, NoCardAccountError: the session has ended, and a repetition cancels the rest
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
    .where("state", "in", ["created", "awaiting_payment", "processing", "failed"])
    .orderBy("id")
    .execute();
  for (const { publicId } of open) {
    const cancelled = await cancelPayment(db, accounts, { publicId, owner, now });
    if (cancelled.outcome === "contradiction") return cancelled;
  }
  return { outcome: "expired" };
}

/** Ends a session, and spends its token where no frame was opened with it. Returns whether the owner has such a session. */
async function end(trx: Trx, { id, owner, now }: { id: string; owner: PaymentOwner; now: Date }): Promise<boolean> {
  const isOwn = sql`id = ${id} and partner_id = ${owner.partnerId} and mode = ${owner.mode}`;
  // In the order of the exchange: the token first, then the session that a frame may just have opened with it.
  await sql`update partner_tokens set spent_at = ${now} where ${isOwn} and spent_at is null`.execute(trx);
  await sql`
    update widget_sessions set expires_at = greatest(${now}, opened_at + interval '1 millisecond')
    where ${isOwn} and expires_at > ${now}`.execute(trx);
  const { rows } = await sql`
    select from partner_tokens where ${isOwn} union all select from widget_sessions where ${isOwn}`.execute(trx);
  return rows.length > 0;
}
