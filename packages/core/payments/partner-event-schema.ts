import type { z } from "zod";
import type { WebhookEventKind } from "../partners/webhook-rules.ts";
import { disputeClosedDataSchema, disputedDataSchema } from "./dispute-schema.ts";
import {
  paymentFailedDataSchema,
  paymentPaidDataSchema,
  paymentRefundedDataSchema,
  refundFailedDataSchema,
} from "./partner-schema.ts";

/** The `data` of every event that partners are told about. */
export const eventDataSchemas = {
  "payment.paid": paymentPaidDataSchema,
  "payment.failed": paymentFailedDataSchema,
  "payment.refunded": paymentRefundedDataSchema,
  "payment.refund_failed": refundFailedDataSchema,
  "payment.disputed": disputedDataSchema,
  "payment.dispute_closed": disputeClosedDataSchema,
} as const satisfies Record<WebhookEventKind, z.ZodObject>;
