import { describe, expect, test } from "vitest";
import { DECISION_FACTS, DECLINE_REASONS, isDeclineReason } from "./decline-reason.ts";
import { CJ_REASONS, IMPACT_REASONS, REASON_TEXTS, reasonOf } from "./reason-codes.ts";

/** As the vendors publish them. */
const CJ =
  "INVALID_CREDIT_CARD RETURNED_MERCHANDISE DUPLICATED_ORDER CANT_SHIP_OR_SOLD_OUT UNQUALIFIED_LEAD QUALIFIED_LEAD BAD_DEBT BANKRUPTCY COMPLIANCE BOOKING_CANCELED OTHER_REASON";
const IMPACT =
  "ITEM_RETURNED NOT_COMPLIANCE_TERMS CREDITED_DIFFERENT_MP ORDER_UPDATE TEST_ACTION CONS_FRAUD CONS_ERROR ORDER_ERROR PUB_ACT_DISPUTE ADV_ACT_DISPUTE ITEM_OUT_OF_STOCK OTHER RESET MP_RETURN RECALC_COMM OVERLIMIT_WEEKDAYCAP OVERLIMIT_WEEKENDCAP OVERLIMIT_BUDGET OVERLIMIT_ACTIONCAP OVERLIMIT_CONCURRENTCALLS OVERLIMIT_UNKNOWN_CALLERID";

describe("C3 networks' reasons in plain words", () => {
  test.each([
    ["cj", CJ, CJ_REASONS],
    ["impact", IMPACT, IMPACT_REASONS],
  ] as const)("C3 every code of %s has a sentence of its own meaning", (network, published, table) => {
    expect(Object.keys(table).sort()).toEqual(published.split(" ").sort());
    for (const code of published.split(" ")) {
      const reason = reasonOf(network, code);
      expect(reason, code).not.toBe("unknown_code");
      expect(DECLINE_REASONS[reason], code).toMatch(/^The retailer .+\.$/);
    }
  });

  test("C3 a code is read in any case and with spaces or hyphens", () => {
    expect(reasonOf("cj", " bad-debt ")).toBe("not_paid");
    expect(reasonOf("impact", "Item Returned")).toBe("returned");
  });

  test.each(["cj", "impact", "rakuten", "awin", "partnerize", "sixth", "constructor"])(
    "C3 %s: an unknown code says so, and no code says that none was given",
    (network) => {
      for (const code of ["ZZ_NEW_CODE", "toString", "__proto__", "9".repeat(5_000)])
        expect(reasonOf(network, code), code).toBe("unknown_code");
      for (const none of [null, undefined, "", "  "]) expect(reasonOf(network, none)).toBe("not_given");
    },
  );

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
  ])("C3 awin and partnerize: the text %j means %s", (text, reason) => {
    expect(reasonOf("awin", text)).toBe(reason);
    expect(reasonOf("partnerize", text.toUpperCase())).toBe(reason);
  });

  test("C3 every text pattern is used by a text above or below", () => {
    for (const [pattern, reason] of REASON_TEXTS) {
      expect(isDeclineReason(reason)).toBe(true);
      expect(pattern.flags).toContain("i");
    }
  });

  test("C3 every reason says who decided and what can be appealed, and none asks for a claim form that does not exist", () => {
    expect(Object.keys(DECISION_FACTS).sort()).toEqual(Object.keys(DECLINE_REASONS).sort());
    for (const [reason, { decidedBy, appeal }] of Object.entries(DECISION_FACTS)) {
      expect(decidedBy, reason).toMatch(/^the retailer/);
      if (appeal !== null) expect(appeal, reason).toMatch(/^(Send us|If|Your receipt) .+\.$/);
    }
  });
});
