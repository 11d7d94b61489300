import { CardProviderUnavailableError, type CardProvider } from "@farthing/core/payments/provider.ts";
import { receiveCardEvent } from "@farthing/core/payments/receive-card-event.server.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { Logger } from "../monitoring/logger.ts";
import { problemResponse, type Problem } from "../http/problem.ts";

export interface StripeWebhookServices {
  db: Db;
  /** Null: payments are not set up here. */
  cards: CardProvider | null;
  logger: Logger;
  now(): Date;
}

/**
 * The card provider's news: POST /webhooks/stripe (product.md G3). What is not signed by the provider is refused before anything is looked up; what is,
 * is a hint to ask the provider. Answered once all of it is committed; any other answer has the provider send it again, for three days.
 */
export function stripeWebhooks(services: StripeWebhookServices): Hono<AppEnv> {
  return new Hono<AppEnv>().post("/webhooks/stripe", (context) => receive(context, services));
}

async function receive(context: Context<AppEnv>, { db, cards, logger, now }: StripeWebhookServices): Promise<Response> {
  if (!cards) return problemResponse({ status: 404, title: "Not found", detail: "There is nothing at this address." });
  const signature = context.req.header("stripe-signature") ?? "";
  const read = cards.readWebhook({ body: await context.req.text(), signature, now: now() });
  if (read.outcome === "refused") return problemResponse({ status: 400, title: "Not taken", detail: read.why });
  const requestId = context.get("requestId");
  try {
    const received = await receiveCardEvent(db, cards, { event: read.event, now: now() });
    if (received.outcome === "contradiction")
      logger.error({ requestId, event: read.event.id }, `a payment needs a person: ${received.why}`);
    return new Response("OK", {
      headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" },
    });
  } catch (error) {
    if (!(error instanceof CardProviderUnavailableError)) throw error;
    logger.warn({ requestId, err: error }, "a card provider's webhook has to come again");
    return problemResponse(later);
  }
}

const later: Problem = {
  status: 503,
  title: "Not now",
  detail: "Send it again later.",
  headers: { "Retry-After": "30" },
};
