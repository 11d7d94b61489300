/**
 * For the partner's server: verifies webhooks. Uses the Web Crypto API only, so it runs in Node (20 or later), Deno, Bun, Cloudflare Workers and
 * other edge runtimes. It imports nothing of the widget and nothing of a browser.
 */

/** Why a `payment.failed` was declined. The list can grow: treat a code that you don't know as `generic_decline`. */
export type FailureCode =
  | "insufficient_funds"
  | "card_velocity_exceeded"
  | "withdrawal_count_limit_exceeded"
  | "expired_card"
  | "incorrect_number"
  | "incorrect_cvc"
  | "card_not_supported"
  | "currency_not_supported"
  | "authentication_required"
  | "payment_intent_authentication_failure"
  | "call_issuer"
  | "do_not_honor"
  | "transaction_not_allowed"
  | "issuer_not_available"
  | "processing_error"
  | "try_again_later"
  | "generic_decline";

/** What the data of every event has. Fields that this version does not know are `unknown`. */
export type PaymentData = {
  paymentId: string;
  /** Your own reference, or what the visitor typed. */
  reference: string;
  /** The payment's amount, in integer pence. */
  amountPence: number;
  /** The session of your server's request, and the reference that you gave it. */
  sessionId: string | null;
  sessionReference: string | null;
  [field: string]: unknown;
};

export type FailedData = PaymentData & {
  /** Why. Null: the payment was cancelled, or the card provider gives no reason. */
  failureCode: FailureCode | (string & {}) | null;
};

export type RefundedData = PaymentData & {
  /** The refund. Null: the card provider did not say which; the payment's list of refunds has it. Missing in events before 1.6: read the list. */
  refundId?: string | null;
  /** How much was refunded now, in integer pence. Missing in events before 1.6: read the list. */
  refundPence?: number;
  /** The total of all refunds so far, in integer pence. */
  refundedPence: number;
};

export type RefundFailedData = PaymentData & {
  /** The refund whose money came back. */
  refundId: string;
  /** How much came back, in integer pence. */
  refundPence: number;
  /** The total of all refunds after it, in integer pence: less than before. */
  refundedPence: number;
};

type DisputeData = PaymentData & {
  /** A payment can be disputed more than once. */
  disputeId: string;
  /** What the payer's bank asks for, in integer pence: all of the payment, or a part. */
  disputedPence: number;
  /** In the card provider's words, such as `fraudulent`. */
  disputeReason: string;
};

export type DisputedData = DisputeData & {
  /** Until when evidence is accepted, an ISO 8601 moment in UTC. Null: nothing is asked for. */
  evidenceDueAt: string | null;
};

export type DisputeClosedData = DisputeData & {
  /** `lost`: the payer keeps the money. `closed`: the bank dropped its question, and took nothing. */
  outcome: "won" | "lost" | "closed";
};

type EventOf<Type extends string, Data> = {
  /** The same for every delivery of one event. Store it, because an event can arrive twice. */
  id: string;
  type: Type;
  /** An ISO 8601 moment in UTC. */
  createdAt: string;
  /** `test`: no money moved. */
  mode?: "live" | "test" | (string & {});
  /** Only in an event that your server asked for to test its endpoint: nothing happened. Answer 2xx, and do nothing. */
  isTest?: boolean;
  data: Data;
};

/**
 * Stands for every string that is none of the known types, which TypeScript can't write down: `string` would take the fields of `data` from every
 * comparison. It is in no file: nothing has this value.
 */
declare enum NewerType {
  any = "a type that this version does not know",
}

/** An event of a type that this version does not know. Ignore it: answer 2xx, and throw nothing. */
export type NewerWebhookEvent = EventOf<NewerType.any, PaymentData>;

/** The events that this version knows. */
export type KnownWebhookEvent =
  | EventOf<"payment.paid", PaymentData>
  | EventOf<"payment.failed", FailedData>
  | EventOf<"payment.refunded", RefundedData>
  | EventOf<"payment.refund_failed", RefundFailedData>
  | EventOf<"payment.disputed", DisputedData>
  | EventOf<"payment.dispute_closed", DisputeClosedData>;

/**
 * An event, as the service posts it. Compare `type` to know the fields of `data`. Types and fields that are newer than this version arrive as well:
 * ignore them, and throw for none. So a `switch` over `type` needs a `default`, where the event is a `NewerWebhookEvent` and not `never`.
 */
export type WebhookEvent = KnownWebhookEvent | NewerWebhookEvent;

/**
 * Why a delivery is not accepted:
 * - `no_secret`: the call passed no secret, or an empty one. Your set-up is wrong, not the delivery.
 * - `missing_signature`: the request has no Farthing-Signature header.
 * - `malformed_signature`: the header is not `t=<seconds>,v1=<hex>`.
 * - `wrong_signature`: no secret made this signature of this body, for example because a framework has parsed and rewritten the body.
 * - `expired`: the signature is correct, but too old, or too far in the future: a replay, or a clock that is wrong.
 * - `malformed_body`: the signature is correct, but the body is not a JSON event.
 */
export type WebhookError =
  | "no_secret"
  | "missing_signature"
  | "malformed_signature"
  | "wrong_signature"
  | "expired"
  | "malformed_body";

export type WebhookResult = { ok: true; event: WebhookEvent } | { ok: false; error: WebhookError };

export type WebhookDelivery = {
  /** The request's body exactly as it arrived: text or bytes, not parsed JSON. */
  body: string | Uint8Array | ArrayBuffer;
  /** The value of the Farthing-Signature header. A missing one may be null or undefined. */
  signature: string | readonly string[] | null | undefined;
  /** Your endpoint's secret (`whsec_…`), or several while you rotate it: one match is enough. */
  secret: string | readonly (string | undefined)[] | undefined;
  /** How far the time of sending may be from now, in seconds. Default: 300. */
  toleranceSeconds?: number | undefined;
  /** The present time. Default: the clock. */
  now?: Date | undefined;
};

/** A header longer than this is not read. A correct one has about 90 characters for each signature. */
const MAX_HEADER_LENGTH = 4096;
/** HMAC-SHA-256 in hexadecimal. */
const SIGNATURE = /^[0-9a-f]{64}$/i;

const encoder = new TextEncoder();

/**
 * Verifies a webhook's signature and returns its event. Nothing in the delivery makes it throw or reject: it returns `ok: false` with the reason.
 * Compares in constant time, every signature of the header with every secret.
 */
export async function verifyWebhook(delivery: WebhookDelivery): Promise<WebhookResult> {
  const { body, signature, secret, toleranceSeconds = 300, now = new Date() } = delivery;
  const secrets = [secret].flat().filter((one): one is string => typeof one === "string" && one !== "");
  if (secrets.length === 0) return { ok: false, error: "no_secret" };
  const header = [signature].flat().join(",");
  if (header.trim() === "") return { ok: false, error: "missing_signature" };
  const read = readSignature(header);
  if (!read) return { ok: false, error: "malformed_signature" };

  const bytes = bytesOf(body);
  const signed = join(encoder.encode(`${read.sentAt}.`), bytes);
  let isGenuine = false;
  for (const one of secrets) {
    const expected = await hmac(one, signed);
    for (const given of read.signatures) isGenuine = isEqual(given, expected) || isGenuine;
  }
  if (!isGenuine) return { ok: false, error: "wrong_signature" };

  // Written so that a value that is not a number refuses the delivery.
  const isFresh = Math.abs(now.getTime() / 1000 - Number(read.sentAt)) <= toleranceSeconds;
  if (!isFresh) return { ok: false, error: "expired" };
  const event = readEvent(bytes);
  return event ? { ok: true, event } : { ok: false, error: "malformed_body" };
}

/** Returns the time of sending, as it is written, and the `v1` signatures. Other schemes are ignored. */
function readSignature(header: string): { sentAt: string; signatures: Uint8Array[] } | undefined {
  if (header.length > MAX_HEADER_LENGTH) return undefined;
  const parts = header.split(",").map((part) => part.trim());
  const values = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [sentAt, second] = values("t");
  const signatures = values("v1").filter((value) => SIGNATURE.test(value));
  if (sentAt === undefined || second !== undefined || !/^\d{1,12}$/.test(sentAt)) return undefined;
  return signatures.length > 0 ? { sentAt, signatures: signatures.map(fromHex) } : undefined;
}

/** Returns the body's bytes: none for a body that a framework has parsed, so that its signature is wrong. */
function bytesOf(body: unknown): Uint8Array {
  if (typeof body === "string") return encoder.encode(body);
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength);
  return body instanceof ArrayBuffer ? new Uint8Array(body) : new Uint8Array();
}

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from({ length: hex.length / 2 }, (_, index) => parseInt(hex.slice(2 * index, 2 * index + 2), 16));

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

async function hmac(secret: string, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), algorithm, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", key, data));
}

/** Compares two signatures of the same length. The time does not depend on where they differ. */
function isEqual(first: Uint8Array, second: Uint8Array): boolean {
  let difference = first.length ^ second.length;
  for (let index = 0; index < second.length; index++) difference |= first[index]! ^ second[index]!;
  return difference === 0;
}

function readEvent(bytes: Uint8Array): WebhookEvent | undefined {
  try {
    const event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as Partial<WebhookEvent> | null;
    const isEvent = typeof event?.id === "string" && typeof event.type === "string" && typeof event.data === "object";
    return isEvent && event.data !== null ? (event as WebhookEvent) : undefined;
  } catch {
    return undefined;
  }
}
