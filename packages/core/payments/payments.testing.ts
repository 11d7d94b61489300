import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { memoryCards } from "../gift-cards/memory-cards.testing.ts";
import { makePartner } from "../partners/partners.testing.ts";
import { settlePayment } from "./settle-payment.server.ts";
import { startPayment, type StartedPayment } from "./start-payment.server.ts";

type Started = Extract<StartedPayment, { outcome: "started" }>;

/** A partner whose visitors pay by card, with a provider in memory and a clock that a test moves. */
export async function openTill(db: Db) {
  const clock = { at: new Date("2026-11-20T10:00:00Z").getTime() };
  const now = () => new Date(clock.at);
  const cards = memoryCards(now);
  const { id, publicId } = await makePartner(db);
  const partner = { id, publicId, name: "Shop" };

  /** Opens the session of a visitor; with a price, the partner's server has fixed what they pay. */
  async function visit(fixed: { amountPence: number; reference: string; isOnce?: boolean } | null = null) {
    const price = fixed && { ...fixed, description: null, email: null };
    const reference = fixed?.reference ?? null;
    const session = { id: newId(), partner, reference, mode: "live" as const, price };
    await db
      .insertInto("widget_sessions")
      .values({
        ...{ id: session.id, partner_id: partner.id, origin: "https://shop.example", bearer_hash: randomBytes(32) },
        ...{ opened_at: now(), expires_at: new Date(clock.at + 3_600_000) },
        ...(fixed ? { amount_pence: fixed.amountPence, reference, once_per_reference: fixed.isOnce ?? false } : {}),
      })
      .execute();
    const start = (amountPence = 1000, typed = "visit") => {
      const wanted = fixed ?? { amountPence, reference: typed };
      return startPayment(db, cards.provider, {
        session,
        amountPence: wanted.amountPence,
        reference: wanted.reference,
        idempotencyKey: newId(),
        now: now(),
      });
    };
    return { start, sessionId: session.id, owner: { partnerId: partner.id, mode: session.mode } };
  }

  const settle = ({ providerPaymentId }: Started) =>
    settlePayment(db, cards.provider, { providerPaymentId, now: now() });

  return {
    clock,
    now,
    cards,
    visit,
    async pay(started: Started) {
      cards.pay(started.providerPaymentId);
      await settle(started);
    },
    async cancel(started: Started) {
      await cards.provider.cancelPayment({ key: newId(), providerPaymentId: started.providerPaymentId });
      await settle(started);
    },
  };
}

/** Returns a payment that was started. */
export function begun(started: StartedPayment): Started {
  if (started.outcome !== "started") throw new Error(started.outcome);
  return started;
}
