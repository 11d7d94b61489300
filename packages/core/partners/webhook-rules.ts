import { createHmac } from "node:crypto";
import { retryAfter } from "../due-work/rules.ts";

/**
 * The events that partners are told about. A new kind needs no new version: receivers ignore kinds that they don't
 * know (docs/partners-api.md).
 */
export const webhookEventKinds = [
  "payment.paid",
  "payment.failed",
  "payment.refunded",
  "payment.refund_failed",
  "payment.disputed",
  "payment.dispute_closed",
] as const;
export type WebhookEventKind = (typeof webhookEventKinds)[number];

/** How many test events one endpoint gets in a minute: enough for each kind, and too few to flood anybody. */
export const TEST_EVENTS_PER_MINUTE = 10;

/** When a delivery that failed is tried again, as docs/partners-api.md promises: eight attempts over a little more than a day. */
export const nextDeliveryAttempt = retryAfter(
  [10, 60, 5 * 60, 30 * 60, 2 * 3600, 6 * 3600, 16 * 3600].map((seconds) => seconds * 1000),
);

/**
 * Returns whether an address may receive events: https, with a host name and no credentials. `allowLocal` also allows
 * http on this machine (development). Where the name resolves to is checked again at every delivery.
 */
export function isWebhookUrl(url: string, { allowLocal }: { allowLocal: boolean }): boolean {
  if (url.length > 2000 || !URL.canParse(url)) return false;
  const { protocol, hostname, username, password, hash } = new URL(url);
  if (username !== "" || password !== "" || hash !== "") return false;
  const isLocal = hostname === "127.0.0.1" || /^([a-z0-9-]+\.)*localhost$/.test(hostname);
  return protocol === "https:" ? allowLocal || !isLocal : protocol === "http:" && allowLocal && isLocal;
}

/**
 * Returns the secret that a partner verifies signatures with: 256 bits, derived with HMAC-SHA-256, so that no table has
 * it; a new version is a new secret.
 */
export function webhookSecret(key: string, { id, version }: { id: string; version: number }): string {
  return `whsec_${createHmac("sha256", key).update(`farthing partner webhook\0${id}\0${version}`).digest("base64url")}`;
}

/** How long the secret before signs as well, after a rotation: a day to put the new one into every receiver. */
export const SECRET_OVERLAP_MS = 24 * 60 * 60_000;

/** Returns the secrets that sign a delivery now: the current one, then the one before while they overlap. */
export function secretsNow(
  key: string,
  { id, version, previousUntil }: { id: string; version: number; previousUntil: Date | null },
  now: Date,
): string[] {
  const current = webhookSecret(key, { id, version });
  const overlaps = version > 1 && previousUntil !== null && now < previousUntil;
  return overlaps ? [current, webhookSecret(key, { id, version: version - 1 })] : [current];
}

/**
 * Returns the value of Farthing-Signature: the time of sending (seconds), and for each secret an HMAC-SHA-256 of that, a
 * dot and the body, in hexadecimal.
 */
export function signWebhook(secrets: string | readonly string[], body: string, now: Date): string {
  const at = Math.floor(now.getTime() / 1000);
  const signatures = [secrets]
    .flat()
    .map((secret) => createHmac("sha256", secret).update(`${at}.${body}`).digest("hex"));
  return [`t=${at}`, ...signatures.map((signature) => `v1=${signature}`)].join(",");
}
