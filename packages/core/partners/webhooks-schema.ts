import { z } from "zod";
import { deliveryStates } from "./delivery-states.ts";
import { nextCursorSchema, uuidPaging } from "./paging-schema.ts";
import { webhookEventKinds } from "./webhook-rules.ts";

/** A webhook, without its secret. */
export const webhookAnswerSchema = z.object({
  id: z.uuid(),
  url: z.string(),
  previousSecretUntil: z.iso
    .datetime()
    .nullable()
    .describe("Until then, deliveries are signed with the secret before as well; null: never rotated."),
});
export type WebhookAnswer = z.infer<typeof webhookAnswerSchema>;

export const webhookListAnswerSchema = z.object({ webhooks: z.array(webhookAnswerSchema) });

/** A webhook with its new secret. */
export const rotatedAnswerSchema = webhookAnswerSchema.extend({
  secret: z.string().describe("The new secret: whsec_…"),
});

/** One attempt of a delivery. */
export const deliveryAttemptSchema = z.object({
  attemptedAt: z.iso.datetime(),
  durationMs: z.int().min(0).describe("How long your server took to answer, or we waited for it."),
  status: z.int().nullable().describe("What your server answered; null: nothing."),
  error: z.string().nullable().describe("Why there was no answer."),
});

/** One event on its way to one webhook. */
export const deliveryAnswerSchema = z.object({
  id: z.uuid(),
  eventId: z.uuid().describe("The id in the event's body, the same in each repetition."),
  type: z.string(),
  url: z.string(),
  state: z.enum(deliveryStates),
  attempts: z.int().min(0).describe("Attempts since it was made, or since it was replayed."),
  lastStatus: z.int().nullable().describe("What your server answered last."),
  lastError: z.string().nullable().describe("Why there was no answer."),
  createdAt: z.iso.datetime(),
  deliveredAt: z.iso.datetime().nullable(),
  nextAttemptAt: z.iso.datetime().nullable(),
  history: z.array(deliveryAttemptSchema).describe("Each attempt, newest first: the last 20, replays included."),
});
export type DeliveryAnswer = z.infer<typeof deliveryAnswerSchema>;

/** A delivery with what is sent. */
export const deliveryWithEventSchema = deliveryAnswerSchema.extend({
  event: z.record(z.string(), z.unknown()).describe("The body that is sent."),
});

/** The parameters of GET /api/partner/webhook-deliveries. */
export const deliveryListSchema = z.strictObject({
  ...uuidPaging,
  state: z.enum(deliveryStates).optional().describe("Deliveries in this state."),
  eventId: z.uuid("is the id of an event").optional().describe("Deliveries of this event."),
});

export const deliveryListAnswerSchema = z.object({
  deliveries: z.array(deliveryAnswerSchema).describe("Newest first."),
  nextCursor: nextCursorSchema,
});

/** The body of a POST that says everything in its address. */
export const nothingSchema = z.strictObject({});

/** The body of POST /api/partner/webhooks/:id/test, which may be empty. */
export const testEventSchema = z.strictObject({
  type: z
    .enum(webhookEventKinds, `is one of: ${webhookEventKinds.join(", ")}`)
    .default("payment.paid")
    .describe("The type of the event; payment.paid when left out."),
});
