import type { PaymentView } from "@farthing/core/payments/queries.server.ts";
import type { StartedPaymentAnswer } from "@farthing/core/payments/schema.ts";

export interface PaymentToStart {
  amountPence: number;
  reference: string;
  idempotencyKey: string;
}

/** `status` is the server's; 0 where no answer came. */
export type Answered<Value> = { ok: true; value: Value } | { ok: false; status: number };

/** The server's payments API, as the page in a partner's frame calls it. */
export interface PaymentsClient {
  start(payment: PaymentToStart): Promise<Answered<StartedPaymentAnswer>>;
  find(paymentId: string): Promise<Answered<PaymentView>>;
}

/** How long an answer is waited for, in milliseconds: on a dead line a browser waits for minutes. To start a payment, our server asks the card provider. */
const WAITS = { startMs: 60_000, findMs: 10_000 };

/**
 * Calls carry the bearer where the page received one, so that they work where frames keep no cookies. Otherwise the
 * cookie identifies the session.
 */
export function paymentsClient(bearer: string | null, { startMs, findMs } = WAITS): PaymentsClient {
  async function call<Value>(path: string, waitMs: number, init: RequestInit = {}): Promise<Answered<Value>> {
    const headers = new Headers(init.headers);
    headers.set("Accept", "application/json");
    if (bearer !== null) headers.set("Authorization", `Bearer ${bearer}`);
    try {
      const credentials = bearer === null ? "same-origin" : "omit";
      const signal = AbortSignal.timeout(waitMs);
      const response = await fetch(path, { ...init, headers, credentials, cache: "no-store", signal });
      if (!response.ok) return { ok: false, status: response.status };
      return { ok: true, value: (await response.json()) as Value };
    } catch (error) {
      console.info("The payment's server could not be reached.", error);
      return { ok: false, status: 0 };
    }
  }

  return {
    start: (payment) =>
      call("/api/payments", startMs, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(payment),
      }),
    find: (paymentId) => call(`/api/payments/${encodeURIComponent(paymentId)}`, findMs),
  };
}
