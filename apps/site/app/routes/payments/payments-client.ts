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
  find(paymentId: string, signal: AbortSignal): Promise<Answered<PaymentView>>;
}

/**
 * Calls carry the bearer where the page received one, so that they work where frames keep no cookies. Otherwise the
 * cookie identifies the session.
 */
export function paymentsClient(bearer: string | null): PaymentsClient {
  async function call<Value>(path: string, init: RequestInit): Promise<Answered<Value>> {
    const headers = new Headers(init.headers);
    headers.set("Accept", "application/json");
    if (bearer !== null) headers.set("Authorization", `Bearer ${bearer}`);
    try {
      const credentials = bearer === null ? "same-origin" : "omit";
      const response = await fetch(path, { ...init, headers, credentials, cache: "no-store" });
      if (!response.ok) return { ok: false, status: response.status };
      return { ok: true, value: (await response.json()) as Value };
    } catch (error) {
      if (!init.signal?.aborted) console.info("The payment's server could not be reached.", error);
      return { ok: false, status: 0 };
    }
  }

  return {
    start: (payment) =>
      call("/api/payments", {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(payment),
      }),
    find: (paymentId, signal) => call(`/api/payments/${encodeURIComponent(paymentId)}`, { signal }),
  };
}
