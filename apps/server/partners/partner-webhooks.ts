import {
  findDelivery,
  listDeliveries,
  listWebhooks,
  replayDelivery,
  rotateSecret,
  type Delivery,
  type Webhook,
} from "@farthing/core/partners/deliveries.server.ts";
import { sendTestEvent } from "@farthing/core/partners/test-event.server.ts";
import { secretsNow } from "@farthing/core/partners/webhook-rules.ts";
import {
  deliveryListSchema,
  nothingSchema,
  testEventSchema,
  type DeliveryAnswer,
  type WebhookAnswer,
} from "@farthing/core/partners/webhooks-schema.ts";
import { sampleEventData } from "@farthing/core/payments/sample-events.ts";
import { isUuid } from "@farthing/db/uuid.ts";
import { Hono, type Context } from "hono";
import type { AppEnv } from "../app-env.ts";
import { problemResponse } from "../http/problem.ts";
import { methodNotAllowed } from "../http/problems.ts";
import { readQuery } from "../http/read-query.ts";
import { answerPost } from "./answer-post.ts";
import { partnerCaller, type CallerServices } from "./partner-caller.ts";
import { partnerProblems, tooMany } from "./partner-problems.ts";

export interface PartnerWebhookServices extends CallerServices {
  /** Endpoints' secrets are derived from it. */
  webhookKey: string;
}

/** Webhooks for the partner's server: endpoints, the rotation of their secrets, and the log of deliveries (W10). */
export function partnerWebhooks(services: PartnerWebhookServices): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get("/api/partner/webhooks", (context) => showWebhooks(context, services))
    .all("/api/partner/webhooks", () => problemResponse(methodNotAllowed("GET, HEAD")))
    .post("/api/partner/webhooks/:id/rotate", (context) => rotate(context, services, context.req.param("id")))
    .all("/api/partner/webhooks/:id/rotate", () => problemResponse(methodNotAllowed("POST")))
    .post("/api/partner/webhooks/:id/test", (context) => sendTest(context, services, context.req.param("id")))
    .all("/api/partner/webhooks/:id/test", () => problemResponse(methodNotAllowed("POST")))
    .get("/api/partner/webhook-deliveries", (context) => showDeliveries(context, services))
    .all("/api/partner/webhook-deliveries", () => problemResponse(methodNotAllowed("GET, HEAD")))
    .get("/api/partner/webhook-deliveries/:id", (context) => showDelivery(context, services, context.req.param("id")))
    .all("/api/partner/webhook-deliveries/:id", () => problemResponse(methodNotAllowed("GET, HEAD")))
    .post("/api/partner/webhook-deliveries/:id/replay", (context) => replay(context, services, context.req.param("id")))
    .all("/api/partner/webhook-deliveries/:id/replay", () => problemResponse(methodNotAllowed("POST")));
}

async function showWebhooks(context: Context<AppEnv>, services: PartnerWebhookServices): Promise<Response> {
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const webhooks = await listWebhooks(services.db, called.caller);
  return context.json({ webhooks: webhooks.map(webhookAnswer) }, 200, noStore);
}

async function rotate(context: Context<AppEnv>, services: PartnerWebhookServices, id: string): Promise<Response> {
  const { webhookKey, now } = services;
  return answerPost(context, services, {
    schema: nothingSchema,
    isOneTransaction: true,
    run: async (caller, db) => {
      const rotated = isUuid(id) ? await rotateSecret(db, { owner: caller, id, now: now() }) : null;
      if (!rotated || rotated.outcome === "no-such-webhook") return { problem: partnerProblems.noSuchWebhook };
      if (rotated.outcome === "rotated")
        return { status: 200, body: { webhook: webhookAnswer(rotated.webhook), version: rotated.webhook.version } };
      const until = rotated.until.toISOString();
      const detail = `The secret was rotated already, and the one before is valid until ${until}. Rotate it again after that.`;
      return { problem: { status: 409, title: "Rotation is running", detail } };
    },
    complete: (stored) => {
      const { webhook, version } = stored as { webhook: WebhookAnswer; version: number };
      const [secret = ""] = secretsNow(webhookKey, { id: webhook.id, version, previousUntil: null }, now());
      return { ...webhook, secret };
    },
  });
}

async function showDeliveries(context: Context<AppEnv>, services: PartnerWebhookServices): Promise<Response> {
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const query = readQuery(context.req.raw, deliveryListSchema);
  if (!query.ok) return problemResponse(query.problem);
  const { limit: max, cursor = null, ...filter } = query.value;
  const page = await listDeliveries(services.db, { owner: called.caller, filter, cursor, max });
  if (!page) return problemResponse(partnerProblems.badCursor);
  return context.json({ deliveries: page.deliveries.map(deliveryAnswer), nextCursor: page.nextCursor }, 200, noStore);
}

async function showDelivery(context: Context<AppEnv>, services: PartnerWebhookServices, id: string): Promise<Response> {
  const called = await partnerCaller(context, services, { counts: true });
  if (!called.ok) return problemResponse(called.problem);
  const found = isUuid(id) ? await findDelivery(services.db, { owner: called.caller, id }) : null;
  if (!found) return problemResponse(partnerProblems.noSuchDelivery);
  const { body, ...delivery } = found;
  return context.json({ ...deliveryAnswer(delivery), event: JSON.parse(body) as object }, 200, noStore);
}

async function replay(context: Context<AppEnv>, services: PartnerWebhookServices, id: string): Promise<Response> {
  const { now } = services;
  return answerPost(context, services, {
    schema: nothingSchema,
    isOneTransaction: true,
    run: async (caller, db) => {
      const replayed = isUuid(id) ? await replayDelivery(db, { owner: caller, id, now: now() }) : "no-such-delivery";
      if (replayed === "disabled") return { problem: partnerProblems.webhookDisabled };
      const found = replayed === "replayed" ? await findDelivery(db, { owner: caller, id }) : null;
      if (!found) return { problem: partnerProblems.noSuchDelivery };
      const { body: _body, ...delivery } = found;
      return { status: 202, body: deliveryAnswer(delivery) };
    },
  });
}

async function sendTest(context: Context<AppEnv>, services: PartnerWebhookServices, id: string): Promise<Response> {
  const { now } = services;
  return answerPost(context, services, {
    schema: testEventSchema,
    isOneTransaction: true,
    run: async (caller, db, { type: kind }) => {
      const about = { owner: caller, id, kind, data: sampleEventData[kind], now: now() };
      const sent = isUuid(id) ? await sendTestEvent(db, about) : null;
      if (!sent || sent.outcome === "no-such-webhook") return { problem: partnerProblems.noSuchWebhook };
      if (sent.outcome === "disabled") return { problem: partnerProblems.webhookDisabled };
      if (sent.outcome === "too-many") return { problem: tooMany("test events", sent.waitSeconds) };
      const found = await findDelivery(db, { owner: caller, id: sent.deliveryId });
      if (!found) return { problem: partnerProblems.noSuchDelivery };
      const { body: _body, ...delivery } = found;
      return { status: 202, body: deliveryAnswer(delivery) };
    },
  });
}

function webhookAnswer({ id, url, previousSecretUntil }: Webhook): WebhookAnswer {
  return { id, url, previousSecretUntil: previousSecretUntil?.toISOString() ?? null };
}

function deliveryAnswer(delivery: Delivery): DeliveryAnswer {
  const { createdAt, deliveredAt, nextAttemptAt, history, ...rest } = delivery;
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    deliveredAt: deliveredAt?.toISOString() ?? null,
    nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    history: history.map(({ attemptedAt, ...attempt }) => ({ attemptedAt: attemptedAt.toISOString(), ...attempt })),
  };
}

const noStore = { "Cache-Control": "no-store" };
