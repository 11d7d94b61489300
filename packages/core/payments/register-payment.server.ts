import type { Db } from "@farthing/db/client.ts";
import type { Pence } from "../money/money.ts";
import type { PartnerMode } from "../partners/mode.ts";
import { cancelOpen, cancelUnsent, type OpenPayment } from "./cancel-open.server.ts";
import { recordChange } from "./payment-row.server.ts";
import { CardProviderRefusalError, type CardProvider } from "./provider.ts";
import { isForGiftCards } from "./schema.ts";
import type { SettledPayment } from "./settle-payment.server.ts";

/** A payment as the card provider is told of it: the same words each time, because its key takes no others. */
interface ToRegister {
  id: string;
  publicId: string;
  amountPence: Pence;
  reference: string;
  providerCustomerId: string | null;
  sessionId: string;
  partnerName: string;
  description: string | null;
  email: string | null;
}

type Cards = Pick<CardProvider, "createCustomer" | "createPayment">;

/** Creates a payment at the card provider, or returns the one that was created. @throws CardProviderUnavailableError, CardProviderRefusalError */
export async function register(cards: Cards, payment: ToRegister) {
  const { id, publicId, amountPence, reference, sessionId, partnerName, description, email } = payment;
  const customerId = payment.providerCustomerId ?? (await createCustomer(cards, sessionId));
  const created = await cards.createPayment({
    key: `payment:${id}`,
    paymentId: publicId,
    customerId,
    amountPence,
    description: `${partnerName}: ${reference}${description ? `, ${description}` : ""}`,
    email,
  });
  return { ...created, customerId };
}

export async function createCustomer(cards: Cards, sessionId: string): Promise<string> {
  return (await cards.createCustomer({ key: `customer:${sessionId}` })).customerId;
}

/**
 * Cancels an unpaid payment at the card provider, which is told of it first where it was not, and settles it from the provider's answer. Safe
 * to repeat. Null: it was decided meanwhile, or the provider refuses to make it, and our books have cancelled it.
 * @param mode whose payments `cards` settles; null: both
 * @throws CardProviderUnavailableError, CardProviderRefusalError
 */
export async function cancelUnpaid(
  db: Db,
  cards: Pick<CardProvider, "createCustomer" | "createPayment" | "findPayment" | "findRefunds" | "cancelPayment">,
  payment: OpenPayment,
  mode: PartnerMode | null,
  now: Date,
): Promise<SettledPayment | null> {
  const registered = await registerUnsent(db, cards, payment, now);
  return registered && cancelOpen(db, cards, { ...registered, mode }, now);
}

/**
 * Returns a payment with the provider's id, so that it can be cancelled at the provider. One whose start is running or has died is
 * registered here: another process that is still starting it gets the same provider payment, so the secret that it hands out can't be paid
 * once we cancel. Null: as cancelUnpaid.
 * @throws CardProviderUnavailableError
 */
async function registerUnsent(db: Db, cards: Cards, payment: OpenPayment, now: Date): Promise<OpenPayment | null> {
  if (payment.state !== "created") return payment;
  const { id } = payment;
  const { sessionId, key, sessionEmail, ...row } = await db
    .selectFrom("payments")
    .innerJoin("partners", "partners.id", "payments.partner_id")
    .leftJoin("widget_sessions", "widget_sessions.id", "payments.widget_session_id")
    .select([
      "payments.id",
      "payments.public_id as publicId",
      "payments.amount_pence as amountPence",
      "payments.reference",
      "payments.provider_customer_id as providerCustomerId",
      "payments.session_id as sessionId",
      "payments.description",
      "payments.idempotency_key as key",
      "partners.name as partnerName",
      "widget_sessions.email as sessionEmail",
    ])
    .where("payments.id", "=", id)
    .executeTakeFirstOrThrow();
  // The session's price, and so its email, does not apply to gift cards.
  const email = isForGiftCards(key) ? null : sessionEmail;
  try {
    const { providerPaymentId, customerId } = await register(cards, { ...row, sessionId: sessionId ?? id, email });
    await attach(db, { id, providerPaymentId, customerId, now });
  } catch (error) {
    if (!(error instanceof CardProviderRefusalError)) throw error;
    await db.transaction().execute((trx) => cancelUnsent(trx, payment, now));
  }
  const { state, version, providerPaymentId } = await db
    .selectFrom("payments")
    .select(["state", "version", "provider_payment_id as providerPaymentId"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return state === "cancelled"
    ? null
    : { ...payment, state: state as OpenPayment["state"], version, providerPaymentId };
}

/**
 * Stores the provider's ids once; the webhook may have stored them already. False: the payment was cancelled meanwhile
 * (cancelUnsent), so nobody may get its secret.
 */
export async function attach(
  db: Db,
  { id, providerPaymentId, customerId, now }: { id: string; providerPaymentId: string; customerId: string; now: Date },
): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const changed = await trx
      .updateTable("payments")
      .set({
        state: "awaiting_payment",
        version: 1,
        provider_payment_id: providerPaymentId,
        provider_customer_id: customerId,
        changed_at: now,
      })
      .where("id", "=", id)
      .where("state", "=", "created")
      .returning("id")
      .executeTakeFirst();
    if (changed)
      await recordChange(trx, { id, version: 1, state: "awaiting_payment", refundedPence: 0, transferId: null, now });
    if (changed) return true;
    const { state } = await trx.selectFrom("payments").select("state").where("id", "=", id).executeTakeFirstOrThrow();
    return state !== "cancelled";
  });
}
