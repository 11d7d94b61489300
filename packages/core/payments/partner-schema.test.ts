import { expect, test } from "vitest";
import { paymentRefundedDataSchema } from "./partner-schema.ts";

test("W10 payment.refunded of a delivery from before version 1.6 has no refund's id and amount, and is described all the same", () => {
  const data = {
    paymentId: "p1",
    reference: "basket-1042",
    amountPence: 1234,
    sessionId: null,
    sessionReference: null,
  };
  expect(paymentRefundedDataSchema.parse({ ...data, refundedPence: 500 })).toEqual({ ...data, refundedPence: 500 });
});
