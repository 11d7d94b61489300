import type { Db } from "@farthing/db/client.ts";
import type { PartnerMode } from "../partners/mode.ts";
import type { CardEvent, CardProvider } from "./provider.ts";
import { readPayment } from "./read-payment.server.ts";
import type { SettledPayment } from "./settle-payment.server.ts";

/** How long an event's id is remembered: well beyond the three days in which the provider resends it. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

export type ReceivedCardEvent = SettledPayment | { outcome: "seen-before" } | { outcome: "not-about-a-payment" };

/**
 * Processes a verified webhook: records its id, asks the provider for the state of the payment, and updates ours. Where the event is about
 * refunds or a dispute, it does the same for these. An event that was settled is not processed again. One that could not be settled is
 * processed when the provider resends it.
 * @param mode whose payments `cards` settles; null: both
 * @throws CardProviderUnavailableError, CardProviderRefusalError: answer so that the provider resends it
 */
export async function receiveCardEvent(
  db: Db,
  cards: CardProvider,
  {
    event: { id, kind, providerPaymentId, about },
    mode = null,
    now,
  }: { event: CardEvent; mode?: PartnerMode | null; now: Date },
): Promise<ReceivedCardEvent> {
  if (providerPaymentId === null) return { outcome: "not-about-a-payment" };
  await db
    .insertInto("card_events")
    .values({ id, kind, provider_payment_id: providerPaymentId, received_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { settled_at } = await db
    .selectFrom("card_events")
    .select("settled_at")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  if (settled_at !== null) return { outcome: "seen-before" };
  const settled = await readPayment(db, cards, { providerPaymentId, about, mode, now });
  await db
    .updateTable("card_events")
    .set({ settled_at: now })
    .where("id", "=", id)
    .where("settled_at", "is", null)
    .execute();
  return settled;
}

/** Removes ids of events older than 30 days; run by a regular job. Returns the number of removed rows. */
export async function forgetOldCardEvents(db: Db, { now }: { now: Date }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("card_events")
    .where("received_at", "<", new Date(now.getTime() - KEPT_MS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
