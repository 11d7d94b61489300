import { expect, test } from "vitest";
import { moneySentence } from "./money-sentence.ts";

const none = { payablePence: 0, confirmedPence: 0, trackedPence: 0, paidPence: 0, hasPurchases: false };

test.each([
  [none, "Nothing tracked yet. What you buy through our links shows here, usually within days."],
  [{ ...none, hasPurchases: true }, "Nothing is on its way just now."],
  [{ ...none, trackedPence: 120 }, "£1.20 is on its way."],
  [{ ...none, trackedPence: 120, confirmedPence: 80, paidPence: 5_000 }, "£2.00 is on its way."],
  [{ ...none, payablePence: 123_456 }, "£1,234.56 is yours."],
  [
    { ...none, payablePence: 1_234, confirmedPence: 60, trackedPence: 500 },
    "£12.34 is yours, and £5.60 is on its way.",
  ],
  [{ ...none, paidPence: 4_000 }, "£40.00 paid out so far. Nothing else is on its way."],
  [
    { ...none, payablePence: -300, paidPence: 4_000 },
    "£3.00 that was paid out has been declined since; your next cashback makes up for it.",
  ],
  [
    { ...none, payablePence: -300, trackedPence: 100 },
    "£3.00 that was paid out has been declined since; your next cashback makes up for it, and £1.00 is on its way.",
  ],
])("D1 C3 the home page says of %o: %s", (balances, sentence) => {
  expect(moneySentence(balances)).toBe(sentence);
});
