import { createHash } from "node:crypto";
import { CardsError } from "./card-error.ts";
import type { Cards } from "./cards.ts";

export interface Answer {
  status: number;
  body: string;
}

const KEPT_MS = 24 * 3600_000;

/** Returns the stored response to an idempotency key, for a day. The same key with another request is refused, as the provider does. */
export function answeredBefore(cards: Cards, key: string, request: string): Answer | undefined {
  cards.state.run("delete from card_requests where answered_at < ?", cards.now() - KEPT_MS);
  const row = cards.state.one<Answer & { fingerprint: string }>(
    "select fingerprint, status, body from card_requests where key = ?",
    key,
  );
  if (!row) return undefined;
  if (row.fingerprint !== fingerprintOf(request)) {
    throw new CardsError(400, {
      type: "idempotency_error",
      message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return { status: row.status, body: row.body };
}

export function keepAnswer(cards: Cards, key: string, request: string, answer: Answer): void {
  cards.state.run(
    "insert into card_requests (key, fingerprint, status, body, answered_at) values (?, ?, ?, ?, ?)",
    key,
    fingerprintOf(request),
    answer.status,
    answer.body,
    cards.now(),
  );
}

function fingerprintOf(request: string): string {
  return createHash("sha256").update(request).digest("hex");
}
