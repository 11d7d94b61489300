import type { CardProvider, ObservedPayment } from "../payments/provider.ts";

/** A card provider in memory: a payer, and keys that are forgotten after a day, as Stripe's are. */
export interface MemoryCards {
  provider: CardProvider;
  pay(providerPaymentId: string): void;
  decline(providerPaymentId: string): void;
  payments: Map<string, ObservedPayment>;
}

const KEY_MS = 24 * 3_600_000;

export function memoryCards(now: () => Date): MemoryCards {
  const keys = new Map<string, { at: number; answer: unknown }>();
  const payments = new Map<string, ObservedPayment>();
  const once = <T>(key: string, call: () => T): T => {
    const known = keys.get(key);
    if (known && now().getTime() - known.at < KEY_MS) return known.answer as T;
    const answer = call();
    keys.set(key, { at: now().getTime(), answer });
    return answer;
  };
  const found = (id: string): ObservedPayment => {
    const payment = payments.get(id);
    if (!payment) throw new Error(`There is no payment ${id}.`);
    return payment;
  };
  return {
    payments,
    pay: (id) => void (found(id).status = "taken"),
    decline: (id) => void (found(id).status = "failed"),
    provider: {
      createCustomer: async ({ key }) => once(key, () => ({ customerId: `customer-${keys.size}` })),
      createCustomerSession: async () => ({ secret: "secret" }),
      createPayment: async ({ key, paymentId, amountPence }) =>
        once(key, () => {
          const providerPaymentId = `pi_${paymentId}`;
          payments.set(providerPaymentId, {
            providerPaymentId,
            paymentId,
            amountPence,
            status: "awaiting_payment",
            refundedPence: 0,
          });
          return { providerPaymentId, clientSecret: "client-secret" };
        }),
      findPayment: async (id) => ({ ...found(id) }),
      cancelPayment: async ({ providerPaymentId }) => {
        const payment = found(providerPaymentId);
        if (payment.status !== "taken") payment.status = "cancelled";
      },
      refund: async ({ key, providerPaymentId, amountPence }) =>
        once(key, () => {
          const payment = found(providerPaymentId);
          if (payment.refundedPence + amountPence > payment.amountPence) throw new Error("More than was taken.");
          payment.refundedPence += amountPence;
        }),
      readWebhook: () => ({ outcome: "refused", why: "No webhooks here." }),
    },
  };
}
