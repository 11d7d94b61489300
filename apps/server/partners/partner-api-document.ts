import { eventDataSchemas } from "@farthing/core/payments/partner-event-schema.ts";
import {
  expiredSessionSchema,
  paymentAnswerSchema,
  paymentEventSchema,
  paymentListAnswerSchema,
  paymentListSchema,
  refundAnswerSchema,
  refundListAnswerSchema,
  refundListSchema,
  refundSchema,
} from "@farthing/core/payments/partner-schema.ts";
import { mintAnswerSchema, mintSchema } from "@farthing/core/partners/schema.ts";
import { webhookEventKinds, type WebhookEventKind } from "@farthing/core/partners/webhook-rules.ts";
import {
  deliveryAnswerSchema,
  deliveryListAnswerSchema,
  deliveryListSchema,
  deliveryWithEventSchema,
  rotatedAnswerSchema,
  testEventSchema,
  webhookListAnswerSchema,
} from "@farthing/core/partners/webhooks-schema.ts";
import { z } from "zod";

const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
});

/** A refusal of the moment. */
const later = (description: string) => ({
  ...problem(description),
  headers: {
    "Retry-After": { description: "Seconds to wait; absent where waiting does not help.", schema: { type: "integer" } },
  },
});

/**
 * Returns the OpenAPI description of the partner API, from the schemas that validate it
 * (W10; docs/api/partners.openapi.json).
 */
export function partnerApiDocument() {
  return {
    openapi: "3.1.0",
    info: {
      title: "Farthing for partners",
      version: "1.6.0",
      description:
        "What a partner's server calls so that its pages can hold the payment widget, and to read and refund the payments made there. The pages themselves need nothing but the widget.",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [
      {
        url: "{baseUrl}",
        variables: { baseUrl: { default: "http://localhost:3000", description: "The environment's base URL." } },
      },
    ],
    security: [{ apiKey: [] }],
    paths: {
      "/api/partner/sessions": {
        post: {
          operationId: "createSession",
          summary: "Mint a token for one visitor",
          description:
            "Call it when a visitor opens the page that holds the widget, and hand the token to the widget. It is valid for one frame on one origin, for a minute. With amountPence, you fix the price: the visitor types no amount, and the session makes one payment. With oncePerReference, all sessions for that reference together make one payment.",
          parameters: [idempotencyKey(false)],
          requestBody: { required: true, content: { "application/json": { schema: requestSchema(mintSchema) } } },
          responses: {
            "201": json("Minted.", mintAnswerSchema),
            ...common,
            ...posted,
            "403": problem(
              "The origin is not one of yours, your account is suspended, or the call came from a browser.",
            ),
            "409": later(
              "The first request with the same Idempotency-Key has not answered yet: send it again in a second. Or, with the type already-paid, the reference is paid or being paid: paymentId and state say by which payment.",
            ),
          },
        },
      },
      "/api/partner/sessions/{id}/expire": {
        post: {
          operationId: "expireSession",
          summary: "End a session",
          description:
            "Its token opens no frame any more, an open frame says that its session has ended, and its unpaid payments are cancelled. What was paid before stays paid: look at payments in the answer, and refund it. Repeat the request until it is answered with 200.",
          parameters: [idInPath("The session's id, as the answer to createSession has it."), idempotencyKey(false)],
          responses: {
            "200": json("The session has ended.", expiredSessionSchema),
            ...common,
            ...posted,
            "404": noSuch("session"),
            ...cancelling,
          },
        },
      },
      "/api/partner/payments": {
        get: {
          operationId: "listPayments",
          summary: "List your payments, newest first",
          description: "The payments of your key's mode. Filters can be combined.",
          parameters: parametersOf(paymentListSchema),
          responses: { "200": json("A page of payments.", paymentListAnswerSchema), ...common, "422": wrongField },
        },
      },
      "/api/partner/payments/{id}": {
        get: {
          operationId: "getPayment",
          summary: "Read a payment",
          parameters: [idInPath("The payment's id.")],
          responses: { "200": json("The payment.", paymentAnswerSchema), ...common, "404": noSuch("payment") },
        },
      },
      "/api/partner/payments/{id}/refunds": {
        get: {
          operationId: "listRefunds",
          summary: "List the refunds of a payment, newest first",
          description:
            "Those of your keys and those that the club made, refused ones and those that a bank sent back too.",
          parameters: [idInPath("The payment's id."), ...parametersOf(refundListSchema)],
          responses: {
            "200": json("A page of refunds.", refundListAnswerSchema),
            ...common,
            "404": noSuch("payment"),
            "422": wrongField,
          },
        },
        post: {
          operationId: "refundPayment",
          summary: "Refund a payment, whole or in part",
          description:
            "Answered once the card provider has taken the refund. Repeat a request without an answer with the same Idempotency-Key: it refunds once. A refund whose answer you never fetch is finished all the same.",
          parameters: [idInPath("The payment's id."), idempotencyKey(true)],
          requestBody: { required: true, content: { "application/json": { schema: requestSchema(refundSchema) } } },
          responses: {
            "201": json("Refunded.", refundAnswerSchema),
            ...common,
            ...posted,
            "400": problem(
              "The address or the body can't be read, the body is not JSON, or the Idempotency-Key is missing or badly formed.",
            ),
            "404": noSuch("payment"),
            "409": later("The same request, or other refunds of this payment, are running: send it again in a second."),
            "422": problem(
              "A field is wrong, the payment is not paid or is disputed, more was asked for than is left, the card provider refused, or the Idempotency-Key belongs to another request.",
            ),
            "500": problem(
              "The refund was sent, and the card provider's answer does not match our books: a person has to look at this.",
            ),
            "503": later(
              "The card provider does not answer, or a part of the service is being restarted: send the same request again. Or payments are not set up.",
            ),
          },
        },
      },
      "/api/partner/payments/{id}/cancel": {
        post: {
          operationId: "cancelPayment",
          summary: "Cancel a payment that is not paid",
          description:
            "A payment that is cancelled already is answered in the same way. Its session can make another one: end the session to stop that.",
          parameters: [idInPath("The payment's id."), idempotencyKey(false)],
          responses: {
            "200": json("The payment is cancelled.", paymentAnswerSchema),
            ...common,
            ...posted,
            "404": noSuch("payment"),
            ...cancelling,
            "409": later(
              "The payment is paid (type already-paid): refund it. Or the card provider is working on it (type processing): wait for its event. Or the same request is running.",
            ),
          },
        },
      },
      "/api/partner/webhooks": {
        get: {
          operationId: "listWebhooks",
          summary: "List your webhooks",
          responses: { "200": json("The webhooks of your key's mode.", webhookListAnswerSchema), ...common },
        },
      },
      "/api/partner/webhooks/{id}/rotate": {
        post: {
          operationId: "rotateWebhookSecret",
          summary: "Give a webhook a new secret",
          description:
            "For 24 hours, deliveries have a signature with each of the two secrets. Put the new one into your receivers meanwhile. Nothing else shows it: with an Idempotency-Key, a repetition gets it again where the answer was lost.",
          parameters: [idInPath("The webhook's id."), idempotencyKey(false)],
          responses: {
            "200": json("The webhook and its new secret.", rotatedAnswerSchema),
            ...common,
            ...posted,
            "404": noSuch("webhook"),
            "409": later("The rotation before has not ended, or the same request is running."),
          },
        },
      },
      "/api/partner/webhooks/{id}/test": {
        post: {
          operationId: "sendTestEvent",
          summary: "Send a webhook a test event",
          description:
            "It is signed, sent and logged like any other event. Its mode is test, isTest is true, and its ids name nothing. At most 10 a minute for each webhook.",
          parameters: [idInPath("The webhook's id."), idempotencyKey(false)],
          requestBody: { required: false, content: { "application/json": { schema: requestSchema(testEventSchema) } } },
          responses: {
            "202": json("Its delivery: it is sent within seconds.", deliveryAnswerSchema),
            ...common,
            ...posted,
            "404": noSuch("webhook"),
            "409": later("The webhook is disabled, or the same request is running."),
            "429": later("You have used all requests, or all test events of this webhook, of this minute."),
          },
        },
      },
      "/api/partner/webhook-deliveries": {
        get: {
          operationId: "listWebhookDeliveries",
          summary: "The log of deliveries, newest first",
          parameters: parametersOf(deliveryListSchema),
          responses: { "200": json("A page of deliveries.", deliveryListAnswerSchema), ...common, "422": wrongField },
        },
      },
      "/api/partner/webhook-deliveries/{id}": {
        get: {
          operationId: "getWebhookDelivery",
          summary: "Read a delivery with its event",
          parameters: [idInPath("The delivery's id.")],
          responses: { "200": json("The delivery.", deliveryWithEventSchema), ...common, "404": noSuch("delivery") },
        },
      },
      "/api/partner/webhook-deliveries/{id}/replay": {
        post: {
          operationId: "replayWebhookDelivery",
          summary: "Send a delivery again",
          description: "The same event under the same id, to the same address, whatever became of it.",
          parameters: [idInPath("The delivery's id."), idempotencyKey(false)],
          responses: {
            "202": json("It is sent within seconds.", deliveryAnswerSchema),
            ...common,
            ...posted,
            "404": noSuch("delivery"),
            "409": later("The webhook is disabled, or the same request is running."),
          },
        },
      },
    },
    webhooks: Object.fromEntries(webhookEventKinds.map((kind) => [kind, event(kind)])),
    components: {
      securitySchemes: {
        apiKey: {
          type: "http",
          scheme: "bearer",
          description: "fpk_…, or fpk_test_… for test mode; on your server only.",
        },
      },
      schemas: {
        Problem: {
          type: "object",
          description: "RFC 9457.",
          required: ["type", "title", "status"],
          properties: {
            type: { type: "string" },
            title: { type: "string" },
            status: { type: "integer" },
            detail: { type: "string", description: "What to do." },
            paymentId: {
              type: "string",
              description: "With the types already-paid and processing: which payment it is.",
            },
            state: { type: "string", description: "With the types already-paid and processing: the payment's state." },
            errors: {
              type: "array",
              items: {
                type: "object",
                required: ["field", "message"],
                properties: { field: { type: "string" }, message: { type: "string" } },
              },
            },
          },
        },
      },
    },
  };
}

const eventSummaries: Readonly<Record<WebhookEventKind, string>> = {
  "payment.paid": "The card provider has confirmed a payment",
  "payment.failed": "An attempt to pay was declined, or the payment was cancelled",
  "payment.refunded": "All or part of a payment was refunded",
  "payment.refund_failed": "The payer's bank sent a refund back, so the payer does not have the money",
  "payment.disputed": "A payer's bank asks about a payment, or disputes it",
  "payment.dispute_closed": "A dispute is over: won, lost, or closed without a claim",
};

function event(kind: WebhookEventKind) {
  const schema = paymentEventSchema(kind, eventDataSchemas[kind]);
  return {
    post: {
      summary: eventSummaries[kind],
      description: "Posted to your webhook, signed in Farthing-Signature. It can arrive twice, and in any order.",
      requestBody: { required: true, content: { "application/json": { schema: jsonSchema(schema, "output") } } },
      responses: { "2XX": { description: "Received." } },
    },
  };
}

/** The refusals of every request. */
const common = {
  "400": problem("The address can't be read."),
  "401": problem("The API key is missing, unknown or revoked."),
  "403": problem("Your account is suspended, or the call came from a browser."),
  "405": problem("The address does not answer this method."),
  "421": problem("No club has this host name."),
  "429": later("You have used all requests of this minute."),
  "503": later("A part of the service is being restarted: send the same request again."),
};

const wrongField = problem("A field is wrong; errors says which, and how.");

/** The refusals of a request with a body. */
const posted = {
  "400": problem(
    "The address or the body can't be read, the body is not JSON, or the Idempotency-Key is badly formed.",
  ),
  "409": later("The first request with the same Idempotency-Key has not answered yet: send it again in a second."),
  "413": problem("The body is larger than 8 kB."),
  "415": problem("The body is not sent as application/json."),
  "422": problem("A field is wrong; errors says which, and how. Or the Idempotency-Key belongs to another request."),
};

/** The refusals of a request that cancels payments. */
const cancelling = {
  "500": problem(
    "The card provider's answer does not match our books, or it refused to cancel a payment: a person has to look at this.",
  ),
  "503": later(
    "The card provider does not answer or has not cancelled a payment yet, or a part of the service is being restarted: send the same request again. Or payments are not set up.",
  ),
};

function noSuch(what: string) {
  return problem(`Your key sees no ${what} with this id.`);
}

function json(description: string, schema: z.ZodType) {
  return { description, content: { "application/json": { schema: jsonSchema(schema, "output") } } };
}

function idInPath(description: string) {
  return { name: "id", in: "path", required: true, description, schema: { type: "string" } };
}

function idempotencyKey(required: boolean) {
  return {
    name: "Idempotency-Key",
    in: "header",
    required,
    description:
      "New for each request, and the same when you repeat it: the same key and body get the same answer for at least 24 hours.",
    schema: { type: "string", pattern: "^[A-Za-z0-9_.:-]{8,255}$" },
    example: "4f9c2f0e-9d0b-4f56-8a55-6a5a8a3f6c11",
  };
}

/** Returns the members of a query's schema as parameters. */
function parametersOf(schema: z.ZodType) {
  const { properties = {} } = jsonSchema(schema, "input");
  return Object.entries(properties).map(([name, property]) => {
    const { description, ...rest } = property as { description?: string };
    return { name, in: "query", required: false, description, schema: rest };
  });
}

function requestSchema(schema: z.ZodType) {
  return jsonSchema(schema, "input");
}

/** Returns a schema as JSON. What we send is open: receivers ignore the fields that they don't know (docs/partners-api.md). */
function jsonSchema(schema: z.ZodType, io: "input" | "output") {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
    io,
    override({ jsonSchema: written }) {
      if (io === "output" && written.additionalProperties === false) delete written.additionalProperties;
    },
  });
  return plain;
}
