import { describe, expect, test } from "vitest";
import { mailContent } from "../mails/mail.ts";
import { PAYOUT_REASONS, type PayoutReason } from "./rules.ts";

const brand = { name: "Test Club", strapline: "Tests", supportEmail: "help@club.example" };
const contentOf = (kind: string, data: object) => mailContent(kind, data, brand);
const wordsOf = (kind: string, data: object) => JSON.stringify(contentOf(kind, data));
const reasons = Object.entries(PAYOUT_REASONS).map(([reason, facts]) => ({ reason, ...facts }));
const PARTLY: string[] = ["balance_fell", "bonus_held"] satisfies PayoutReason[];

describe("C6 what a member is told of a withdrawal that ended", () => {
  test.each(reasons)("C6 a mail says that all the money is back only where it is: $reason", ({ reason, ...facts }) => {
    expect(facts.isWhole).toBe(!PARTLY.includes(reason));
    for (const isLeaving of [false, true]) {
      const failed = { amountPence: 900, reason: facts.text, needsDetails: facts.endsDetails, isLeaving };
      const words = wordsOf("payout-failed", { ...failed, isWhole: facts.isWhole });
      expect(words.includes("The money is back in your balance"), words).toBe(facts.isWhole);
      expect(words.includes("What is left of it is in your balance"), words).toBe(!facts.isWhole);
      if (!facts.isWhole) expect(words).not.toContain("Withdraw it again");
    }
  });

  test("C6 the mail about what is left leads to the member's money", () => {
    const failed = { amountPence: 900, reason: "Why.", needsDetails: false, isWhole: false };
    const { blocks } = contentOf("payout-failed", failed);
    expect(blocks).toContainEqual({ kind: "button", label: "See your money", path: "/money" });
  });

  test("C6 a member for whom an operator asks reads nothing of a page or a password that they may not be able to use", () => {
    const asked = { amountPence: 600, heldUntil: "2026-11-23T12:00:00.000Z" };
    expect(wordsOf("payout-requested", asked)).toMatch(
      /You asked Test Club for £6\.00.*"button".*choose a new password/,
    );
    const words = wordsOf("payout-requested", { ...asked, isByClub: true });
    expect(words).not.toMatch(/asked|withdrawal|button|cancel|password/i);
    for (const text of ["£6.00", "Because your bank details changed", "help@club.example"])
      expect(words).toContain(text);
  });

  test.each(reasons)("C6 no reason blames a shop for what the club may have taken back: $reason", ({ text }) => {
    expect(text).not.toMatch(/shop/i);
  });

  test("C6 G4 the receipt of a card that could not be made says what is left where cashback was taken back", () => {
    const line = { card: "A card", facePence: 2500, pricePence: 2400, feePence: 0, cashbackPence: 0 };
    const receipt = { order: "ORDER", isChanged: false, isPayout: true, lines: [{ ...line, refundedBecause: "Why." }] };
    expect(wordsOf("gift-card-receipt", receipt)).toContain("The money is back in your balance");
    const left = wordsOf("gift-card-receipt", { ...receipt, isWhole: false });
    expect(left).not.toContain("The money is back");
    expect(left).toContain("What is left of it is in your balance");
    expect(left).toContain(`"path":"/money"`);
  });
});
