import { z } from "zod";

const pence = () => z.int().min(1);

const paymentFields = {
  paymentId: z.string(),
  reference: z.string(),
  amountPence: pence().describe("Of the payment, in pence of pounds sterling."),
  sessionId: z.uuid().nullable(),
  sessionReference: z.string().nullable(),
  disputeId: z.string().describe("A payment can be disputed more than once."),
  disputedPence: pence().describe("What the payer's bank asks for, in pence."),
  disputeReason: z.string().describe("In the card provider's words: fraudulent, product_not_received …"),
};

/** The data of the event `payment.disputed`. */
export const disputedDataSchema = z.object({
  ...paymentFields,
  evidenceDueAt: z.iso
    .datetime()
    .nullable()
    .describe("Send us what proves the purchase well before; null: nothing is asked for."),
});

/** The data of the event `payment.dispute_closed`. */
export const disputeClosedDataSchema = z.object({
  ...paymentFields,
  outcome: z
    .enum(["won", "lost", "closed"])
    .describe("lost: the payer keeps the money. closed: the bank dropped its question, and took nothing."),
});
