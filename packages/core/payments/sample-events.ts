import type { z } from "zod";
import type { WebhookEventKind } from "../partners/webhook-rules.ts";
import type { eventDataSchemas } from "./partner-event-schema.ts";

const payment = {
  paymentId: "webhook-test",
  reference: "webhook-test",
  amountPence: 1234,
  sessionId: null,
  sessionReference: null,
};
const refund = { refundId: "00000000-0000-4000-8000-000000000001", refundPence: 500 };
const dispute = { disputeId: "webhook-test", disputedPence: 1234, disputeReason: "fraudulent" };

/** The `data` of a test event of each kind: every field of the real one, and ids that no payment, refund or dispute has. */
export const sampleEventData: { readonly [Kind in WebhookEventKind]: z.infer<(typeof eventDataSchemas)[Kind]> } = {
  "payment.paid": payment,
  "payment.failed": { ...payment, failureCode: "insufficient_funds" },
  "payment.refunded": { ...payment, ...refund, refundedPence: 500 },
  "payment.refund_failed": { ...payment, ...refund, refundedPence: 0 },
  "payment.disputed": { ...payment, ...dispute, evidenceDueAt: null },
  "payment.dispute_closed": { ...payment, ...dispute, outcome: "lost" },
};
