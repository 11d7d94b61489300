import fc from "fast-check";
import { expect, test } from "vitest";
import { payLabel, penceFromPounds } from "./pounds.ts";
import { wordsFor } from "./words.ts";

const english = wordsFor(undefined);

test.each([
  [12.34, "Pay £12.34"],
  [0.01, "Pay £0.01"],
  [0.1, "Pay £0.10"],
  [5, "Pay £5.00"],
  [19.99, "Pay £19.99"],
  [1234.5, "Pay £1234.50"],
  [999_999.99, "Pay £999999.99"],
])("W7 £%d reads %s", (pounds, label) => {
  expect(payLabel(penceFromPounds(pounds), english)).toBe(label);
});

test("W7 every whole number of pence is the same after conversion to pounds and back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_999 }), (pence) => {
      expect(penceFromPounds(pence / 100)).toBe(pence);
      expect(payLabel(pence, english)).toMatch(/^Pay £\d+\.\d\d$/);
      expect(Number(payLabel(pence, english).replace(/\D/g, ""))).toBe(pence);
    }),
  );
});

test.each([
  ["cy", "Talu £12.34"],
  ["de", "12,34 £ zahlen"],
  ["fr", "Payer 12,34 £"],
  ["pl", "Zapłać 12,34 £"],
])("U1 in %s the button reads %s", (locale, label) => {
  expect(payLabel(1234, wordsFor(locale)).replaceAll(/\s/g, " ")).toBe(label); // some languages have a no-break space
});
