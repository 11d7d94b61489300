import { modeOf, type CardAccounts } from "@farthing/core/payments/card-accounts.ts";
import {
  CardProviderUnavailableError,
  type CardProvider,
  type ReadCardEvent,
} from "@farthing/core/payments/provider.ts";
import { receiveCardEvent } from "@farthing/core/payments/receive-card-event.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Logger } from "../monitoring/logger.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { problems } from "../http/problems.ts";
import { isReadableJsonText } from "../http/readable-input.ts";

export interface StripeWebhookServices {
  db: Db;
  cards: CardAccounts;
  logger: Logger;
  now(): Date;
}

/**
 * The card provider's webhook: POST /webhooks/stripe (G3). Unsigned requests are refused before any look-up. A signed
 * event is a hint: the provider is asked for the payment's state. Answered 200 once everything is committed. After any
 * other answer the provider retries, for three days.
 */
export function stripeWebhooks(services: StripeWebhookServices): Hono<AppEnv> {
  return new Hono<AppEnv>().post("/webhooks/stripe", (context) => receive(context, services));
}

async function receive(context: Context<AppEnv>, { db, cards, logger, now }: StripeWebhookServices): Promise<Response> {
  if (!cards.live && !cards.test)
    return problemResponse({ status: 404, title: "Not found", detail: "There is nothing at this address." });
  const signature = context.req.header("stripe-signature") ?? "";
  const body = await context.req.text();
  const { read, account } = readSigned(cards, { body, signature, now: now() });
  if (read.outcome === "refused" || !account)
    return problemResponse({ status: 400, title: "Refused", detail: "why" in read ? read.why : "" });
  // The boundary reads bodies as JSON that say so; this one is JSON whatever its type.
  if (!isReadableJsonText(body)) return problemResponse(problems.unreadableBody);
  const requestId = context.get("requestId");
  try {
    const received = await receiveCardEvent(db, account, {
      event: read.event,
      mode: modeOf(cards, account),
      now: now(),
    });
    if (received.outcome === "contradiction")
      logger.error({ requestId, event: read.event.id }, `a payment needs a person: ${received.why}`);
    if (received.outcome === "settled" && received.refunds) {
      const { madeElsewhere, returned } = received.refunds;
      const about = { requestId, event: read.event.id };
      if (madeElsewhere.length > 0)
        logger.warn({ ...about, refunds: madeElsewhere }, "a refund was made in the card provider's dashboard");
      if (returned.length > 0) logger.warn({ ...about, refunds: returned }, "a payer's bank has sent a refund back");
    }
    return new Response("OK", {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  } catch (error) {
    if (!(error instanceof CardProviderUnavailableError)) throw error;
    logger.warn({ requestId, err: error }, "a card provider's webhook could not be settled; the provider will retry");
    return problemResponse(later);
  }
}

/**
 * Reads a webhook with the secret of each account. The account that signed it is the one that is asked about the
 * payment, and it can change payments of its own mode only.
 */
function readSigned(
  { live, test }: CardAccounts,
  webhook: { body: string; signature: string; now: Date },
): { read: ReadCardEvent; account: CardProvider | null } {
  let read: ReadCardEvent = { outcome: "refused", why: "Payments are not set up." };
  for (const account of new Set([live, test])) {
    if (!account) continue;
    read = account.readWebhook(webhook);
    if (read.outcome === "read") return { read, account };
  }
  return { read, account: null };
}

const later: Problem = {
  status: 503,
  title: "Try again later",
  detail: "Send the event again later.",
  headers: { "Retry-After": "30" },
};
