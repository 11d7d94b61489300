import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import type { Pence } from "../money/money.ts";
import type { Order } from "../partners/order.ts";
import type { WidgetSession } from "../partners/widget-session.server.ts";
import { countTries, keyed } from "../sign-in/count-tries.server.ts";
import type { TryLimit } from "../sign-in/login-limits.ts";
import { CardProviderRefusalError, type CardProvider } from "./provider.ts";
import type { OpenPayment } from "./cancel-open.server.ts";
import { findStanding, lockOrder } from "./order-payments.server.ts";
import { wasTaken, type PaymentState } from "./rules.ts";
import { recordChange } from "./payment-row.server.ts";
import { attach, cancelUnpaid, createCustomer, register } from "./register-payment.server.ts";
import { isForGiftCards } from "./schema.ts";
import { settlePayment, type SettledPayment } from "./settle-payment.server.ts";

/** Maximum number of payments in a session: a visitor who needs more in half an hour is testing cards. */
const MAX_PER_SESSION = 20;

/** Starts in a session, repetitions included: each asks the card provider several times. Room for every payment to be repeated twice. */
const startLimit: TryLimit = { free: 60, windowSeconds: 1800, firstWaitSeconds: 60, maxWaitSeconds: 900 };

export interface NewPayment {
  session: Pick<WidgetSession, "id" | "partner" | "reference" | "mode" | "price">;
  amountPence: Pence;
  /** What the payer pays for, in the page's words. */
  reference: string;
  /** Created by the page once per payment; sending it again returns the same payment. */
  idempotencyKey: string;
  now: Date;
}

export type StartedPayment =
  | {
      outcome: "started";
      publicId: string;
      providerPaymentId: string;
      amountPence: Pence;
      clientSecret: string;
      customerId: string;
      customerSecret: string;
    }
  /** The key was used for another amount or reference. */
  | { outcome: "key-taken" }
  /** The partner's server has fixed another amount or reference. */
  | { outcome: "not-the-price" }
  /** A session with a fixed price makes one payment, or an order is paid once, and it is made. */
  | { outcome: "already-paid" }
  /** The order is paid once, and the card provider is working on a payment of another session. */
  | { outcome: "in-progress" }
  /** The payment was cancelled while it was made: a new one can be started. */
  | { outcome: "cancelled" }
  /** The partner has ended the session. */
  | { outcome: "session-ended" }
  | { outcome: "too-many" }
  /** The session has repeated its payments too often: the same call continues after the wait. */
  | { outcome: "slow-down"; seconds: number };

/**
 * Creates a payment and registers it with the card provider. The row comes first: after a failure the same call
 * continues where it stopped, because the provider's keys depend on the row and the session. Where an order is paid once, the payments
 * of its other sessions are cancelled at the provider before a new one is made, so that one at a time can be paid.
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function startPayment(db: Db, cards: CardProvider, payment: NewPayment): Promise<StartedPayment> {
  const alone = await reserveAlone(db, cards, payment);
  if (alone.outcome !== "reserved") return alone;
  const { row } = alone;
  const { publicId, amountPence } = row;
  const { id: sessionId, partner, price } = payment.session;
  // What is created once is read from then on: its key takes no other description, and a partner may be renamed.
  const { providerPaymentId, clientSecret, customerId } = row.providerPaymentId
    ? {
        providerPaymentId: row.providerPaymentId,
        clientSecret: await cards.findClientSecret(row.providerPaymentId),
        customerId: row.providerCustomerId ?? (await createCustomer(cards, sessionId)),
      }
    : await register(cards, {
        ...row,
        sessionId,
        partnerName: partner.name,
        description: price?.description ?? null,
        email: price?.email ?? null,
      });
  const { secret } = await cards.createCustomerSession({ customerId });
  const attached = { id: row.id, providerPaymentId, customerId, now: payment.now };
  if (row.providerPaymentId === null && !(await attach(db, attached))) {
    // Our books have cancelled it, so settling cancels it at the provider too.
    const settled = await settlePayment(db, cards, { providerPaymentId, mode: payment.session.mode, now: payment.now });
    expectSettled(settled, `Payment ${publicId}`);
    return { outcome: "cancelled" };
  }
  return {
    outcome: "started",
    publicId,
    providerPaymentId,
    amountPence,
    clientSecret,
    customerId,
    customerSecret: secret,
  };
}

/** How often other payments of an order are cancelled: each time, another session may have begun one. */
const MAX_ATTEMPTS = 10;

/**
 * Reserves a payment beside which no other one of its order can be paid. It asks the provider for nothing before the start is counted.
 * @throws CardProviderUnavailableError, CardProviderRefusalError: also if another payment of the order can't be cancelled, so that this one can't start
 */
async function reserveAlone(db: Db, cards: CardProvider, payment: NewPayment) {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const reserved = await reserve(db, payment);
    if (typeof reserved === "string") return { outcome: reserved } as const;
    const counted = keyed(payment.session.id, "start-payment");
    const seconds = attempt === 0 ? await countTries(db, [{ key: counted, limit: startLimit }]) : 0;
    if (seconds > 0) return { outcome: "slow-down", seconds } as const;
    if (!("others" in reserved)) return { outcome: "reserved", row: reserved } as const;
    for (const other of reserved.others) await makeWay(db, cards, other, payment.now);
  }
  return { outcome: "in-progress" } as const;
}

async function makeWay(db: Db, cards: CardProvider, other: OpenPayment, now: Date): Promise<void> {
  const cancelled = await cancelUnpaid(db, cards, other, other.mode, now);
  if (cancelled) expectSettled(cancelled, `Payment ${other.publicId} of the same order`);
}

/** @throws CardProviderRefusalError where a payment was not settled, which a person has to investigate */
function expectSettled(settled: SettledPayment, what: string): void {
  if (settled.outcome === "settled") return;
  const why = settled.outcome === "contradiction" ? settled.why : "the provider does not know it";
  throw new CardProviderRefusalError(`${what} can't be cancelled: ${why}`, null);
}

/** Returns the payment to go on with; why there is none; or the `others` of its order, which have to be cancelled first. */
async function reserve(db: Db, { session, idempotencyKey, now, ...wanted }: NewPayment) {
  const { price } = session;
  const order: Order | null = price?.isOnce
    ? { partnerId: session.partner.id, mode: session.mode, reference: price.reference }
    : null;
  const { amountPence, reference } = price ?? wanted;
  if (amountPence !== wanted.amountPence || reference !== wanted.reference) return "not-the-price";
  return db.transaction().execute(async (trx) => {
    if (order) await lockOrder(trx, order);
    // Locks the session, so that the payments of one visitor run one after the other and can be counted.
    const locked = await trx
      .selectFrom("widget_sessions")
      .select("expires_at as expiresAt")
      .where("id", "=", session.id)
      .forUpdate()
      .executeTakeFirst();
    // An order of gift cards is paid in a later session of its buyer as well.
    if (locked && locked.expiresAt <= now && !isForGiftCards(idempotencyKey)) return "session-ended";
    const made = await trx
      .selectFrom("payments")
      .select([
        "id",
        "public_id as publicId",
        "amount_pence as amountPence",
        "reference",
        "idempotency_key as key",
        "state",
        "provider_payment_id as providerPaymentId",
        "provider_customer_id as providerCustomerId",
      ])
      .where("widget_session_id", "=", session.id)
      .execute();
    const same = made.find(({ key }) => key === idempotencyKey);
    if (same && (same.amountPence !== amountPence || same.reference !== reference)) return "key-taken";
    if (same?.state === "cancelled" && (same.providerPaymentId === null || !isForGiftCards(same.key)))
      return "cancelled";
    if (same && isDecided(same)) return same;
    // Gift cards that were bought in this session are not what the partner has fixed.
    const isOfPrice = ({ key, state }: { key: string; state: string }) => state !== "cancelled" && !isForGiftCards(key);
    const current = same ?? (price && made.find(isOfPrice));
    if (current && isDecided(current)) return "already-paid";
    if (!current && made.length >= MAX_PER_SESSION) return "too-many";
    if (order) {
      const standing = await findStanding(trx, order, { except: current?.id ?? null });
      if (standing.outcome === "open") return { others: standing.others };
      if (standing.outcome !== "free") return standing.outcome;
    }
    if (current) return current;
    const row = { id: newId(), publicId: randomBytes(16).toString("base64url"), amountPence, reference };
    await trx
      .insertInto("payments")
      .values({
        id: row.id,
        public_id: row.publicId,
        partner_id: session.partner.id,
        widget_session_id: session.id,
        mode: session.mode,
        session_id: session.id,
        session_reference: session.reference,
        description: price?.description ?? null,
        idempotency_key: idempotencyKey,
        amount_pence: amountPence,
        reference,
        state: "created",
        created_at: now,
        changed_at: now,
      })
      .execute();
    await recordChange(trx, { id: row.id, version: 0, state: "created", refundedPence: 0, transferId: null, now });
    return { ...row, providerPaymentId: null, providerCustomerId: null };
  });
}

function isDecided({ state }: { state: string }): boolean {
  return state === "cancelled" || wasTaken(state as PaymentState);
}
