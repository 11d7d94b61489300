import { describe, expect, test } from "vitest";
import { claimReasonOfText, reasonOfText } from "./reason-texts.ts";

describe("C3 retailers' own texts in plain words", () => {
  test.each([
    ["Item returned by customer", "returned"],
    ["Cancelled order", "cancelled"],
    ["Booking cancelled by guest", "booking_cancelled"],
    ["No-show", "booking_cancelled"],
    ["Duplicate transaction", "duplicate"],
    ["Voucher code not permitted", "voucher"],
    ["Attributed to another publisher", "other_site"],
    ["Existing customer", "existing_customer"],
    ["Card declined", "card_refused"],
    ["Retailer in administration", "insolvent"],
    ["Payment not received", "not_paid"],
    ["Out of stock", "out_of_stock"],
    ["Application declined", "unqualified"],
    ["Test order", "test"],
    ["Budget reached", "over_limit"],
    ["Breach of T&C", "not_eligible"],
    ["Partial amendment", "amended"],
    ["Suspected fraud", "suspected_fraud"],
    ["Other", "other"],
  ])("C3 the text %j means %s", (text, reason) => {
    expect(reasonOfText(text)).toBe(reason);
    expect(reasonOfText(text.toUpperCase())).toBe(reason);
  });

  test("C3 an unknown text says so, and no text says that none was given", () => {
    for (const text of ["ZZ_NEW_CODE", "toString", "__proto__", "9".repeat(5_000)])
      expect(reasonOfText(text), text).toBe("unknown_code");
    for (const none of [null, undefined, "", "  "]) expect(reasonOfText(none)).toBe("not_given");
  });
});

describe("C7 retailers' sentences against a claim", () => {
  test.each([
    ["Transaction cannot be traced", "not_found"],
    ["Order could not be found in our system", "not_found"],
    ["No matching order", "not_found"],
    ["Order number invalid", "not_found"],
    ["Order was returned", "returned"],
    ["Commission was paid to another publisher", "other_site"],
    ["Duplicate inquiry", "duplicate"],
    ["Other", null],
    ["Bleu", null],
    ["", null],
    [null, null],
  ])("C7 %j", (text, reason) => {
    expect(claimReasonOfText(text)).toBe(reason);
  });
});
