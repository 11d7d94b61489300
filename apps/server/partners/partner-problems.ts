import type { OrderPayment } from "@farthing/core/partners/order.ts";
import type { Problem } from "../http/problem.ts";

/** The refusals of the partners' API, with what to do. */
export const partnerProblems = {
  unknownKey: {
    status: 401,
    title: "Unknown API key",
    detail: "Send your API key as: Authorization: Bearer fpk_… If you do, it has been revoked: ask us for another.",
    headers: { "WWW-Authenticate": 'Bearer realm="partners"' },
  },
  suspended: {
    status: 403,
    title: "Partner suspended",
    detail: "Your account is suspended, so no tokens are issued and nothing can be read or refunded. Contact us.",
  },
  inBrowser: {
    status: 403,
    title: "Not from a browser",
    detail:
      "Call this from your server: visitors of your page can read an API key in it. If yours was in a page, ask us for another.",
  },
  noIdempotencyKey: {
    status: 400,
    title: "Idempotency-Key missing",
    detail: "Send a new Idempotency-Key (a UUID, for example) with each refund, and the same one when you repeat it.",
  },
  badIdempotencyKey: {
    status: 400,
    title: "Bad Idempotency-Key",
    detail: "Send an Idempotency-Key of 8 to 255 letters, digits and the characters - _ . : and nothing else.",
  },
  keyOfAnotherRequest: {
    status: 422,
    title: "Idempotency-Key was used before",
    detail:
      "This Idempotency-Key belongs to a request with another address or body. Create a new key for a new request.",
  },
  requestRunning: {
    status: 409,
    title: "The same request is running",
    detail: "The first request with this Idempotency-Key has not answered yet. Send it again in a second.",
    headers: { "Retry-After": "1" },
  },
  noSuchPayment: {
    status: 404,
    title: "No such payment",
    detail: "Your key sees no payment with this id. Check the id, and whether the key is a live or a test key.",
  },
  noSuchSession: {
    status: 404,
    title: "No such session",
    detail:
      "Your key sees no session with this id. Check the sessionId, and whether the key is a live or a test key. An unused token is forgotten after about an hour, and a session after 30 days.",
  },
  noSuchDelivery: {
    status: 404,
    title: "No such delivery",
    detail: "Your key sees no delivery with this id. Check the id, and whether the key is a live or a test key.",
  },
  noSuchWebhook: {
    status: 404,
    title: "No such webhook",
    detail: "Your key sees no webhook with this id. Check the id, and whether the key is a live or a test key.",
  },
  webhookDisabled: {
    status: 409,
    title: "Webhook disabled",
    detail: "This webhook gets no events any more. Ask us to enable it, then send this request again.",
  },
  noPayments: {
    status: 503,
    title: "Payments unavailable",
    detail: "Payments of this key's mode are not set up on this server. Ask us.",
  },
  needsAPerson: {
    status: 500,
    title: "A person has to look at this",
    detail: "The card provider's answer does not match our books. We are looking into it.",
  },
  notCancelledYet: {
    status: 503,
    title: "Try again later",
    detail: "The card provider does not answer, so a payment may still be paid. Send the same request again.",
    headers: { "Retry-After": "5" },
  },
  cancelRefused: {
    status: 500,
    title: "Not cancelled",
    detail:
      "The card provider refused to cancel a payment, so it may still be paid. We are looking into it; read the payment to see what becomes of it.",
  },
  stillOpen: {
    status: 503,
    title: "Try again later",
    detail: "The card provider has not cancelled a payment yet, so it may still be paid. Send the same request again.",
    headers: { "Retry-After": "5" },
  },
  providerAway: {
    status: 503,
    title: "Try again later",
    detail:
      "The card provider does not answer. Send the same request with the same Idempotency-Key again: it refunds once. If you don't, we finish it.",
    headers: { "Retry-After": "5" },
  },
  badCursor: {
    status: 422,
    title: "Not as described",
    detail: "Correct the parameters below and send it again.",
    errors: [{ field: "cursor", message: "is not a nextCursor of this list" }],
  },
} satisfies Record<string, Problem>;

/** Returns the refusal of a second session of an order that is paid once. */
export function alreadyPaid(payment: OrderPayment): Problem {
  const { publicId } = payment;
  const detail = isBeingPaid(payment)
    ? `Payment ${publicId} of this reference is being processed. Show your customer that, and wait for payment.paid or payment.failed.`
    : `Payment ${publicId} has paid this reference. Show your customer that the order is paid; to take another payment, send another reference.`;
  return conflict(payment, "already-paid", detail);
}

/** Returns the refusal to cancel what can't be cancelled any more. */
export function notCancellable(payment: OrderPayment): Problem {
  if (isBeingPaid(payment))
    return conflict(
      payment,
      "processing",
      "The card provider is working on this payment. Wait for payment.paid, then refund it; after payment.failed, cancel it again.",
    );
  const { publicId, state } = payment;
  const detail = `This payment is ${state}, so it can't be cancelled. Refund it: POST /api/partner/payments/${publicId}/refunds.`;
  return conflict(payment, "already-paid", detail);
}

function isBeingPaid({ state }: OrderPayment): boolean {
  return state === "processing";
}

function conflict(payment: OrderPayment, type: "already-paid" | "processing", detail: string): Problem {
  const { publicId, state } = payment;
  const title = isBeingPaid(payment) ? "Being paid" : "Already paid";
  return { type, status: 409, title, detail, about: { paymentId: publicId, state } };
}

/** Returns the refusal of a partner that has used up its minute. */
export function tooMany(what: "tokens" | "requests" | "test events", retryAfterSeconds: number): Problem {
  return {
    status: 429,
    title: `Too many ${what}`,
    detail: `You have used all ${what} of this minute. Try again in ${retryAfterSeconds} seconds.`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  };
}
