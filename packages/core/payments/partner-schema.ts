import { z } from "zod";
import { failureCodes } from "./failure-codes.ts";
import { partnerRefundStates } from "./refund-states.ts";
import { PAYMENT_TRANSITIONS, type PaymentState } from "./rules.ts";
import { partnerModes } from "../partners/mode.ts";
import { momentParameter, nextCursorSchema, pagingParameters, uuidPaging } from "../partners/paging-schema.ts";

const paymentStates = Object.keys(PAYMENT_TRANSITIONS) as [PaymentState, ...PaymentState[]];
const amount = () => z.int().min(0);
const failureCode = z.enum(failureCodes).nullable();

/** A payment: GET /api/partner/payments/:id. */
export const paymentAnswerSchema = z.object({
  id: z.string().describe("The payment's id, which webhooks call paymentId."),
  mode: z.enum(partnerModes).describe("test: made with a test key, and no money moved."),
  state: z.enum(paymentStates),
  failureCode: failureCode.describe(
    "Why the last attempt was declined; null: the payment is not failed, or the card provider gives no reason.",
  ),
  amountPence: amount().describe("Pence of pounds sterling."),
  refundedPence: amount().describe("Total of all refunds so far."),
  disputedPence: amount().describe("What the payer's bank has taken back or asks for: open and lost disputes."),
  reference: z.string().describe("Your reference at a fixed price; else what the visitor typed."),
  description: z.string().nullable(),
  sessionId: z.uuid().nullable().describe("The session that it was made in."),
  sessionReference: z.string().nullable().describe("The reference that the session was minted with."),
  createdAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
});
export type PaymentAnswer = z.infer<typeof paymentAnswerSchema>;

/** The data of the event `payment.paid`. */
export const paymentPaidDataSchema = z.object({
  paymentId: z.string(),
  reference: z.string(),
  amountPence: amount().describe("In pence of pounds sterling."),
  sessionId: z.uuid().nullable(),
  sessionReference: z.string().nullable(),
});

/** The data of the event `payment.refunded`. */
export const paymentRefundedDataSchema = paymentPaidDataSchema.extend({
  refundId: z
    .uuid()
    .nullish()
    .describe(
      "The refund; null: the card provider did not say which, and the payment's list of refunds has it. Missing in events before 1.6: read the list.",
    ),
  refundPence: amount()
    .optional()
    .describe("How much was refunded now, in pence. Missing in events before 1.6: read the list."),
  refundedPence: amount().describe("Total of all refunds so far."),
});

/** The data of the event `payment.refund_failed`. */
export const refundFailedDataSchema = paymentPaidDataSchema.extend({
  refundId: z.uuid().describe("The refund whose money came back: the id that its request was answered with."),
  refundPence: amount().describe("How much came back, in pence."),
  refundedPence: amount().describe("Total of all refunds after it: less than before."),
});

/** The data of the event `payment.failed`. */
export const paymentFailedDataSchema = paymentPaidDataSchema.extend({
  failureCode: failureCode.describe(
    "Why the attempt was declined; null: the payment was cancelled, or the card provider gives no reason.",
  ),
});

/** Returns the schema of an event as it is posted. */
export function paymentEventSchema<Data extends z.ZodType>(type: string, data: Data) {
  return z.object({
    id: z.uuid().describe("The same in each repetition."),
    type: z.literal(type),
    createdAt: z.iso.datetime(),
    mode: z.enum(partnerModes),
    isTest: z
      .literal(true)
      .optional()
      .describe(
        "Only in an event that POST /api/partner/webhooks/{id}/test sent: nothing happened, and its ids name nothing.",
      ),
    data,
  });
}

/** The parameters of GET /api/partner/payments. */
export const paymentListSchema = z.strictObject({
  ...pagingParameters,
  reference: z.string().max(100).optional().describe("Payments with this reference, or in sessions with it."),
  sessionId: z.uuid("is the id of a session").optional().describe("Payments of this session."),
  state: z.enum(paymentStates).optional().describe("Payments in this state."),
  createdFrom: momentParameter.optional().describe("Payments made at this moment or later."),
  createdBefore: momentParameter.optional().describe("Payments made before this moment."),
});

export const paymentListAnswerSchema = z.object({
  payments: z.array(paymentAnswerSchema).describe("Newest first."),
  nextCursor: nextCursorSchema,
});

/** A session that was ended: POST /api/partner/sessions/:id/expire. */
export const expiredSessionSchema = z.object({
  sessionId: z.uuid(),
  state: z.literal("expired").describe("Its token opens no frame, and nothing more can be paid in it."),
  payments: z
    .array(paymentAnswerSchema)
    .describe("The session's payments, newest first: cancelled, or paid or processing before it was ended."),
});
export type ExpiredSessionAnswer = z.infer<typeof expiredSessionSchema>;

const AMOUNT_HINT = "is a whole number of pence, at least 1";

/** The request of POST /api/partner/payments/:id/refunds. */
export const refundSchema = z.strictObject({
  amountPence: z
    .int(AMOUNT_HINT)
    .min(1, AMOUNT_HINT)
    .optional()
    .describe("How much to refund, in pence; everything that is left when left out."),
});

/** A refund that was made. */
export const refundAnswerSchema = z.object({
  id: z.uuid(),
  amountPence: amount(),
  createdAt: z.iso.datetime(),
  payment: paymentAnswerSchema.describe("The payment after the refund."),
});
export type RefundAnswer = z.infer<typeof refundAnswerSchema>;

/** The parameters of GET /api/partner/payments/:id/refunds. */
export const refundListSchema = z.strictObject(uuidPaging);

/** A refund of a payment: an entry of GET /api/partner/payments/:id/refunds. */
export const listedRefundSchema = z.object({
  id: z.uuid().describe("The refund's id, which events call refundId."),
  amountPence: amount().describe("In pence of pounds sterling."),
  state: z.enum(partnerRefundStates),
  madeBy: z
    .enum(["partner", "club"])
    .nullable()
    .describe("Who asked for it: a key of yours, or the club; null: refused before we noted it."),
  createdAt: z.iso.datetime(),
});
export type ListedRefund = z.infer<typeof listedRefundSchema>;

export const refundListAnswerSchema = z.object({
  refunds: z.array(listedRefundSchema).describe("Newest first."),
  nextCursor: nextCursorSchema,
});
