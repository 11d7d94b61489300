import type { RateView, TrackingFacts } from "@farthing/core/catalogue/catalogue-view.ts";
import { rateExample } from "@farthing/core/catalogue/rate-card.ts";
import { describe, expect, test } from "vitest";
import { arrivalLine, confirmsInWords, daysInWords } from "./arrival-words.ts";
import { workedExample } from "../cards/rate-example.ts";

const percent = (rateBp: number, capPence: number | null = null): RateView => ({
  label: "All",
  basis: "on the price",
  capPence,
  boostedUntil: null,
  kind: "percent",
  rateBp,
  usualBp: rateBp,
});
const fixed = (ratePence: number): RateView => ({
  label: "All",
  basis: "",
  capPence: null,
  boostedUntil: null,
  kind: "fixed",
  ratePence,
  usualPence: ratePence,
});
const tracking = (changes: Partial<TrackingFacts> = {}): TrackingFacts => ({
  tracksWithinDays: { min: 1, max: 3 },
  confirmsWithinDays: { min: 35, max: 75 },
  confirmsAfter: "purchase",
  acceptsClaims: true,
  ...changes,
});

describe("worked examples (O7)", () => {
  test("O7 a rate has a sum in pounds, rounded down as it is paid", () => {
    expect(workedExample(percent(600))).toBe("£3.00 on £50.00");
    expect(workedExample(percent(333))).toBe("£1.66 on £50.00");
    expect(workedExample(fixed(2500))).toBe("£25.00, whatever the price");
    expect(workedExample(percent(0))).toBe("£0.00");
  });

  test("O7 C5 a rate of the price without VAT has an example of the price that a member pays, as on the rate card", () => {
    const withoutVat = { ...percent(650), basis: "on the price without VAT and delivery" };
    expect(workedExample(withoutVat)).toBe("£2.70 on £50.00");
    expect(rateExample(withoutVat, 50_00)).toBe("£50.00 basket: £41.67 without VAT → £2.70");
    const capped = { ...percent(500, 40_00), basis: withoutVat.basis };
    expect(workedExample(capped)).toBe("£2.08 on £50.00; £40.00 on £960.00 or more");
    expect(rateExample(capped, 960_00)).toContain("→ £40.00");
    expect(rateExample(capped, 959_90)).toContain("→ £39.99");
  });

  test("O7 a capped rate names the purchase that reaches the cap", () => {
    expect(workedExample(percent(500, 4000))).toBe("£2.50 on £50.00; £40.00 on £800.00 or more");
    expect(workedExample(percent(700, 1000))).toBe("£3.50 on £50.00; £10.00 on £142.86 or more");
    expect(workedExample(percent(1000, 200))).toBe("£2.00 on £50.00; £2.00 on £20.00 or more");
  });
});

describe("when the money arrives (D3)", () => {
  test("D3 days are written as a person would say them", () => {
    expect(daysInWords({ min: 1, max: 3 })).toBe("in 1 to 3 days");
    expect(daysInWords({ min: 0, max: 3 })).toBe("within 3 days");
    expect(daysInWords({ min: 1, max: 1 })).toBe("within 1 day");
    expect(daysInWords({ min: 0, max: 0 })).toBe("straight away");
  });

  test("D3 travel and stays count from the journey", () => {
    expect(confirmsInWords(tracking({ confirmsAfter: "travel" }))).toBe("in 35 to 75 days after you travel");
    expect(confirmsInWords(tracking({ confirmsAfter: "stay", confirmsWithinDays: { min: 0, max: 0 } }))).toBe(
      "straight away after your stay",
    );
    expect(arrivalLine(tracking())).toBe("Shows in your account in 1 to 3 days, confirmed in 35 to 75 days");
  });
});
