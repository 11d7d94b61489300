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

/** Returns the refusal of a partner that has used up its minute. */
export function tooMany(what: "tokens" | "requests" | "test events", retryAfterSeconds: number): Problem {
  return {
    status: 429,
    title: `Too many ${what}`,
    detail: `You have used all ${what} of this minute. Try again in ${retryAfterSeconds} seconds.`,
    headers: { "Retry-After": String(retryAfterSeconds) },
  };
}
