import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { CardProvider } from "../payments/provider.ts";
import { FROZEN_MS } from "./rules.ts";
import { WIDGET_SESSION_MS } from "../partners/widget-session.server.ts";
import { settlePayment } from "../payments/settle-payment.server.ts";
import { hashSecretToken } from "../secrets/secret-token.ts";

/**
 * Lets a session see the orders of the session before it (W8, G4). This is for a visitor without an account whom the page around the frame gives a
 * new session: after a bank, after a reload, or because the page is open in a second tab, whose cookie replaces that of the first. The frame's cookie
 * as it came in is that of the session before. Only the cookie proves it, for the same partner and page, while that session lasts.
 */
export async function followVisit(
  db: Db,
  {
    sessionId,
    secret,
    now,
  }: {
    sessionId: string;
    /** The value of the frame's cookie as it came in. */
    secret: string | null;
    now: Date;
  },
): Promise<void> {
  if (secret === null) return;
  // A session that has chosen nothing is left out, so that a page that is loaded all day makes no chain.
  await sql`
    update widget_sessions mine set ordered_in = case
      when exists (select from gift_card_baskets basket where basket.session_id = before.id)
        or exists (select from gift_card_orders orders where orders.session_id = before.id) then before.id
      else before.ordered_in end
    from widget_sessions before
    where mine.id = ${sessionId} and before.bearer_hash = ${hashSecretToken(secret)} and before.expires_at > ${now}
      and (before.partner_id, before.origin, before.mode) = (mine.partner_id, mine.origin, mine.mode)
      and before.id <> mine.id and before.member_id is null and mine.member_id is null`.execute(db);
}

/**
 * Asks the card provider for the payment of an order that its buyer opens again, for example after a visit to a bank.
 * The browser is often faster than the provider's message, and nobody must be asked to pay what is paid. Nobody else's
 * order is asked for, and none whose payment is decided.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function settleOpenedOrder(
  db: Db,
  cards: Pick<CardProvider, "findPayment" | "findRefunds" | "cancelPayment">,
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

/**
 * Returns whether an order is the session's own, or of one of the sessions that it has followed. Those count while their payment
 * could have begun in the visit before it: a page that is loaded all day keeps nobody's codes open.
 */
export function isOrderedIn(sessionId: string): RawBuilder<boolean> {
  return sql<boolean>`(orders.session_id = ${sessionId}
    or (orders.placed_at >= (select opened_at from widget_sessions where id = ${sessionId}) - make_interval(secs => ${(WIDGET_SESSION_MS + FROZEN_MS) / 1000})
      and orders.session_id = any(array(
        with recursive visit as (
          select id, ordered_in from widget_sessions where id = ${sessionId}
          union select before.id, before.ordered_in from visit join widget_sessions before on before.id = visit.ordered_in)
        select id from visit))))`;
}
