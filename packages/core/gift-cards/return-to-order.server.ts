import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { CardProvider } from "../payments/provider.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { hashSecretToken } from "../secrets/secret-token.ts";

/**
 * Lets a session see the orders of the session before it (W8, G4). This is for a visitor without an account who comes back from a bank to the
 * page of an order: the page around the frame opens it with a new token, and so in a new session. The frame's cookie is still that of the
 * session that ordered. Only the cookie proves it, for the same partner and page; the order's id in the address proves nothing.
 * @returns whether the session sees them now
 */
export async function returnToOrder(
  db: Db,
  {
    sessionId,
    orderPublicId,
    secret,
    now,
  }: {
    sessionId: string;
    orderPublicId: string;
    /** The value of the frame's cookie as it came in. */
    secret: string | null;
    now: Date;
  },
): Promise<boolean> {
  if (secret === null) return false;
  const { rows } = await sql`
    update widget_sessions mine set ordered_in = orders.session_id
    from widget_sessions before, gift_card_orders orders
    where mine.id = ${sessionId} and before.bearer_hash = ${hashSecretToken(secret)} and before.expires_at > ${now}
      and (before.partner_id, before.origin, before.mode) = (mine.partner_id, mine.origin, mine.mode)
      and before.id <> mine.id and before.member_id is null and mine.member_id is null
      and orders.public_id = ${orderPublicId} and orders.member_id is null
      and orders.session_id in (before.id, before.ordered_in)
    returning mine.id`.execute(db);
  return rows.length > 0;
}

/**
 * Asks the card provider for the payment of an order that its buyer opens again, for example after a visit to a bank.
 * The browser is often faster than the provider's message, and nobody must be asked to pay what is paid. Nobody else's
 * order is asked for, and none whose payment is decided.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function settleOpenedOrder(
  db: Db,
  cards: Pick<CardProvider, "findPayment">,
  {
    sessionId,
    memberId,
    orderPublicId,
    now,
  }: { sessionId: string; memberId: string | null; orderPublicId: string; now: Date },
): Promise<void> {
  const { rows } = await sql<{ providerPaymentId: string }>`
    select payment.provider_payment_id as "providerPaymentId"
    from gift_card_orders orders join payments payment on payment.session_id = orders.session_id
      and payment.partner_id = orders.partner_id and payment.idempotency_key = 'gift-card-' || orders.id
    where orders.public_id = ${orderPublicId} and (${isOrderedIn(sessionId)} or orders.member_id = ${memberId}::uuid)
      and payment.provider_payment_id is not null and payment.state in ('awaiting_payment', 'processing', 'failed')`.execute(
    db,
  );
  for (const { providerPaymentId } of rows) await settlePayment(db, cards, { providerPaymentId, mode: null, now });
}

/** Returns whether an order is the session's own, or of the session that it has come back to. */
export function isOrderedIn(sessionId: string): RawBuilder<boolean> {
  return sql<boolean>`(orders.session_id = ${sessionId}
    or orders.session_id = (select ordered_in from widget_sessions where id = ${sessionId}))`;
}
