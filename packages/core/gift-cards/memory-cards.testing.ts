import {
  CardProviderRefusalError,
  type CardProvider,
  type ObservedDispute,
  type ObservedPayment,
  type ObservedRefund,
} from "../payments/provider.ts";

/** A card provider in memory: a payer, and keys that are forgotten after a day, as Stripe's are. */
export interface MemoryCards {
  provider: CardProvider;
  pay(providerPaymentId: string): void;
  decline(providerPaymentId: string): void;
  payments: Map<string, ObservedPayment>;
  /** Opens a dispute of all of a payment, or brings it to another state. */
  dispute(providerPaymentId: string, state: ObservedDispute["state"]): void;
  disputes: Map<string, ObservedDispute>;
  /** Refunds in the provider's dashboard. */
  refundElsewhere(providerPaymentId: string, amountPence: number): void;
}

const KEY_MS = 24 * 3_600_000;

export function memoryCards(now: () => Date): MemoryCards {
  const keys = new Map<string, { at: number; answer: unknown }>();
  const payments = new Map<string, ObservedPayment>();
  const disputes = new Map<string, ObservedDispute>();
  const refunds = new Map<string, ObservedRefund[]>();
  const refund = (id: string, refundId: string | null, amountPence: number) => {
    const payment = found(id);
    const state = disputes.get(id)?.state;
    if (state === "needs_response" || state === "under_review" || state === "lost")
      throw new CardProviderRefusalError("charge_disputed", id);
    if (payment.refundedPence + amountPence > payment.amountPence) throw new Error("More than was taken.");
    payment.refundedPence += amountPence;
    const made = refunds.get(id) ?? [];
    refunds.set(id, made);
    const providerRefundId = `re_${id}_${made.length}`;
    made.push({ providerRefundId, refundId, status: "done", amountPence, madeAt: now() });
  };
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
    disputes,
    dispute(id, state) {
      const { amountPence } = found(id);
      const isWithdrawn = state === "needs_response" || state === "under_review" || state === "lost";
      const before = disputes.get(id);
      disputes.set(id, {
        providerDisputeId: `du_${id}`,
        state,
        reason: "fraudulent",
        amountPence,
        withdrawnPence: isWithdrawn ? amountPence : 0,
        feePence: isWithdrawn ? 2000 : (before?.feePence ?? 0),
        evidenceDueAt: before?.evidenceDueAt ?? new Date(now().getTime() + 9 * 24 * 3_600_000),
        hasEvidence: state === "under_review",
        openedAt: before?.openedAt ?? now(),
      });
    },
    refundElsewhere: (id, amountPence) => refund(id, null, amountPence),
    pay: (id) => void (found(id).status = "taken"),
    decline: (id) => void Object.assign(found(id), { status: "failed", failureCode: "generic_decline" }),
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
            failureCode: null,
          });
          return { providerPaymentId, clientSecret: "client-secret" };
        }),
      findClientSecret: async (id) => {
        found(id);
        return "client-secret";
      },
      startAtBank: async ({ providerPaymentId: id, returnUrl }) =>
        found(id).status === "taken"
          ? null
          : { url: `https://bank.example/${id}?return=${encodeURIComponent(returnUrl)}` },
      findPayment: async (id) => ({ ...found(id) }),
      cancelPayment: async ({ providerPaymentId }) => {
        const payment = found(providerPaymentId);
        if (payment.status !== "taken") payment.status = "cancelled";
      },
      refund: async ({ key, refundId, providerPaymentId, amountPence }) =>
        once(key, () => refund(providerPaymentId, refundId, amountPence)),
      findRefunds: async (id) => (refunds.get(id) ?? []).map((one) => ({ ...one })),
      findDisputes: async (id) => [disputes.get(id)].filter((one) => one !== undefined).map((one) => ({ ...one })),
      findFee: async (id) => (found(id).status === "taken" ? 20 : null),
      findBalance: async () => 0,
      listDisputedPayments: async () => [...disputes.keys()],
      readWebhook: () => ({ outcome: "refused", why: "No webhooks here." }),
    },
  };
}
