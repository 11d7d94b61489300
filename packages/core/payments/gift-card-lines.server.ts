import type { Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Makes the lines due at once that wait for a payment; in the transaction that changes the payment. A step that is under way has
 * not seen it: with a new version of the line it changes nothing, and is taken again.
 */
export async function wakeLinesOf(trx: Trx, paymentId: string, now: Date): Promise<void> {
  await sql`
    update gift_card_lines line set next_step_at = ${now}, version = line.version + 1
    from payments payment join gift_card_orders orders
      on orders.session_id = payment.session_id and payment.idempotency_key = 'gift-card-' || orders.id
    where payment.id = ${paymentId} and line.order_id = orders.id and line.state in ('awaiting_payment', 'cancelled')`.execute(
    trx,
  );
}

/** Returns whether a payment bought gift cards: those are refunded by their lines, so that no line is paid back twice. */
export async function paidForGiftCards(trx: Trx, paymentId: string): Promise<boolean> {
  const { rows } = await sql`
    select from payments payment join gift_card_orders orders
      on orders.session_id = payment.session_id and payment.idempotency_key = 'gift-card-' || orders.id
    where payment.id = ${paymentId}`.execute(trx);
  return rows.length > 0;
}

/**
 * Makes the lines due that a dispute or a refund made elsewhere stops, or lets go on; in the transaction that notes it. Those
 * that are over step once and find nothing to do. A step that is under way has not seen the news: with a new version of the
 * line it changes nothing, and is taken again.
 */
export async function stopLinesOf(trx: Trx, paymentId: string, now: Date): Promise<void> {
  await sql`
    update gift_card_lines line set next_step_at = ${now}, version = line.version + 1
    from payments payment join gift_card_orders orders
      on orders.session_id = payment.session_id and payment.idempotency_key = 'gift-card-' || orders.id
    where payment.id = ${paymentId} and line.order_id = orders.id
      and line.state in ('awaiting_payment', 'held', 'issuing', 'issued', 'reversing', 'refunding', 'charged_back')`.execute(
    trx,
  );
}
