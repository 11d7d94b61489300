import type { Db } from "@farthing/db/client.ts";
import type { CardEvent, CardProvider } from "./provider.ts";
import { settlePayment, type SettledPayment } from "./settle-payment.server.ts";

/** The provider gives up sending an event after three days; until long after that its id is remembered. */
const KEPT_MS = 30 * 24 * 60 * 60_000;

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

/** Removes the ids of events of more than 30 days ago; for a regular job. Gives how many. */
export async function forgetOldCardEvents(db: Db, { now }: { now: Date }): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom("card_events")
    .where("received_at", "<", new Date(now.getTime() - KEPT_MS))
    .executeTakeFirst();
  return Number(numDeletedRows);
}
