import { mintAnswerSchema, mintSchema } from "@farthing/core/partners/schema.ts";
import { z } from "zod";

const problem = (description: string) => ({
  description,
  content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
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
      version: "1.0.0",
      description:
        "What a partner's server calls so that its pages can hold the payment widget. The pages themselves need nothing but the widget.",
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
            "Call it when a visitor opens the page that holds the widget, and hand the token to the widget. It is valid for one frame on one origin, for a minute.",
          requestBody: { required: true, content: { "application/json": { schema: jsonSchema(mintSchema) } } },
          responses: {
            "201": {
              description: "Minted.",
              content: { "application/json": { schema: jsonSchema(mintAnswerSchema) } },
            },
            "400": problem("The body is not JSON."),
            "401": problem("The API key is missing, unknown or revoked."),
            "403": problem(
              "The origin is not one of yours, your account is suspended, or the call came from a browser.",
            ),
            "405": problem("The method is not POST."),
            "413": problem("The body is larger than 8 kB."),
            "415": problem("The body is not sent as application/json."),
            "421": problem("No club has this host name."),
            "422": problem("A field is wrong; errors says which, and how."),
            "429": {
              ...problem("You have used all tokens of this minute."),
              headers: { "Retry-After": { description: "Seconds to wait.", schema: { type: "integer" } } },
            },
          },
        },
      },
    },
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "fpk_…, on your server only." },
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

function jsonSchema(schema: z.ZodType) {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema);
  return plain;
}
