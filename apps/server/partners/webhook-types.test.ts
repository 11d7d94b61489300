import { webhookEventKinds } from "@farthing/core/partners/webhook-rules.ts";
import { failureCodes } from "@farthing/core/payments/failure-codes.ts";
import { eventDataSchemas } from "@farthing/core/payments/partner-event-schema.ts";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { compileWith } from "./compile-types.testing.ts";

describe("W10 the types of webhooks", () => {
  const compile = (code: string) =>
    compileWith("server.ts", ["FailureCode", "KnownWebhookEvent", "WebhookEvent"], code);

  /** Returns the type of a field as TypeScript. A text that may get new values is open. */
  function typeOf(name: string, field: z.core.JSONSchema._JSONSchema): string {
    if (name === "failureCode") return "FailureCode | (string & {}) | null";
    if (typeof field === "boolean") throw new Error(`${name} has no type`);
    if (field.anyOf) return field.anyOf.map((one) => typeOf(name, one)).join(" | ");
    if (field.enum) return field.enum.map((value) => JSON.stringify(value)).join(" | ");
    return [field.type]
      .flat()
      .map((type) => (type === "integer" ? "number" : String(type)))
      .join(" | ");
  }

  test("W10 FailureCode, and the data of every event, are those of the API", () => {
    const checks = webhookEventKinds.map((kind, index) => {
      const { properties = {}, required = [] } = z.toJSONSchema(eventDataSchemas[kind]);
      const fields = Object.entries(properties).map(
        ([name, field]) => `${name}${required.includes(name) ? "" : "?"}: ${typeOf(name, field)};`,
      );
      return `type Data${index} = Known<Extract<WebhookEvent, { type: "${kind}" }>["data"]>;
        export const same${index}: Same<Data${index}, { ${fields.join(" ")} }> = true;`;
    });
    const codes = failureCodes.map((code) => JSON.stringify(code)).join(" | ");
    const said = compile(
      `type Known<T> = { [K in keyof T as string extends K ? never : K]: T[K] };
       export const codes: Same<FailureCode, ${codes}> = true;
       ${checks.join("\n")}`,
    );
    expect(said).toBe("");
  });

  test("W10 the type of an event says which fields its data has, and a newer field is unknown", () => {
    const said = compile(
      `export function receive(event: WebhookEvent): string | number | null {
         if (event.type === "payment.refunded") return event.data.refundedPence + 1;
         if (event.type === "payment.disputed") return event.data.evidenceDueAt;
         switch (event.type) {
           case "payment.dispute_closed": return event.data.outcome === "lost" ? event.data.disputedPence : 0;
           case "payment.paid": return event.data.amountPence;
           case "payment.failed": return event.data.failureCode;
           default: return null; // a newer event
         }
       }
       export const common = ({ type, data }: WebhookEvent): [string, number, unknown] => [type, data.amountPence, data["newer"]];
       // @ts-expect-error a refund's total is no text
       export const wrong = (event: Extract<WebhookEvent, { type: "payment.refunded" }>): string => event.data.refundedPence;`,
    );
    expect(said).toBe("");
  });

  test("W10 an event that no case names may be a newer one, so that it is not never; without it every event is named", () => {
    const said = compile(
      `export function receive(event: WebhookEvent): string {
         switch (event.type) {
           ${webhookEventKinds.map((kind) => `case "${kind}": return event.data.reference;`).join("\n")}
           default: {
             // @ts-expect-error a newer event arrives as well
             const none: never = event;
             const type: string = event.type;
             return type + event.data.paymentId + String(none);
           }
         }
       }
       export function known(event: KnownWebhookEvent): string {
         switch (event.type) {
           ${webhookEventKinds.map((kind) => `case "${kind}": return event.data.reference;`).join("\n")}
           default: {
             const none: never = event;
             return none;
           }
         }
       }`,
    );
    expect(said).toBe("");
  });
});
