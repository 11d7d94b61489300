import { describe, expect, test } from "vitest";
import { failureCodeOf, failureCodes } from "./failure-codes.ts";

describe("W10 why a payment failed", () => {
  test("W10 each code is the provider's own word, and the issuer's reason comes before the error's", () => {
    for (const code of failureCodes) expect(failureCodeOf([code, "card_declined"])).toBe(code);
    expect(failureCodeOf([undefined, "expired_card"])).toBe("expired_card");
    expect(failureCodeOf(["", "processing_error"])).toBe("processing_error");
    expect(failureCodeOf(["invalid_cvc"])).toBe("incorrect_cvc");
  });

  test.each([
    "lost_card",
    "stolen_card",
    "fraudulent",
    "pickup_card",
    "merchant_blacklist",
    "card_declined",
    "new_word",
  ])("W10 %s is a generic decline", (word) => expect(failureCodeOf([word, "card_declined"])).toBe("generic_decline"));

  test("W10 a failure without a reason has none", () => {
    expect(failureCodeOf([])).toBeNull();
    expect(failureCodeOf([undefined, null])).toBeNull();
  });
});
