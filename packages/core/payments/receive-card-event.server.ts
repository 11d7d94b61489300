import type { Db } from "@farthing/db/client.ts";
import type { CardEvent, CardProvider } from "./provider.ts";
import { settlePayment, type SettledPayment } from "./settle-payment.server.ts";

export type ReceivedCardEvent = SettledPayment | { outcome: "seen-before" } | { outcome: "not-about-a-payment" };

/**
 * Acts on a webhook whose signature was checked: notes its id, asks the provider where the payment stands, and brings ours there. An event that was
 * settled before is not acted upon again; one that could not be settled is, when it comes again.
 * @throws CardProviderUnavailableError, CardProviderRefusalError: answer so that the provider sends it again.
 */
export async function receiveCardEvent(
  db: Db,
  cards: CardProvider,
  { event: { id, kind, providerPaymentId }, now }: { event: CardEvent; now: Date },
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
  const settled = await settlePayment(db, cards, { providerPaymentId, now });
  await db
    .updateTable("card_events")
    .set({ settled_at: now })
    .where("id", "=", id)
    .where("settled_at", "is", null)
    .execute();
  return settled;
}
