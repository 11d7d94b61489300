import { describe, expect, test } from "vitest";
import type { RateView } from "./catalogue-view.ts";
import { rateCard, rateExample, withoutVat } from "./rate-card.ts";

const percent = (rateBp: number, changes: Partial<RateView> = {}) =>
  ({
    label: "Everything",
    basis: "on the price without VAT and delivery",
    capPence: null,
    boostedUntil: null,
    kind: "percent",
    rateBp,
    usualBp: rateBp,
    ...changes,
  }) as RateView;
const fixed = (ratePence: number) =>
  ({
    label: "Contract",
    basis: "for each contract",
    capPence: null,
    boostedUntil: null,
    kind: "fixed",
    ratePence,
    usualPence: ratePence,
  }) as RateView;

describe("C5 a rate card in words", () => {
  test("C5 the example takes VAT off the price first, as the purchase does, and rounds down as it is paid", () => {
    expect(rateExample(percent(500))).toBe("£100.00 basket: £83.33 without VAT → £4.16");
    expect(rateExample(percent(600))).toBe("£100.00 basket: £83.33 without VAT → £4.99");
  });

  test("C5 a base that keeps VAT has the whole price", () => {
    expect(rateExample(percent(500, { basis: "on the price without booking fees" }))).toBe("£100.00 basket → £5.00");
    expect(rateExample(percent(500, { basis: "on the price with VAT" }))).toBe("£100.00 basket → £5.00");
  });

  test("C5 the example obeys the cap, and a fixed rate is the same for any basket", () => {
    expect(rateExample(percent(5_000, { capPence: 1_000 }))).toBe("£100.00 basket: £83.33 without VAT → £10.00");
    expect(rateExample(fixed(2_500))).toBe("£100.00 basket, like any other → £25.00");
  });

  test("C5 a rate that pays nothing has no example, base or cap", () => {
    expect(rateCard(percent(0, { capPence: 1_000 }))).toMatchObject({
      pays: "No cashback",
      base: null,
      cap: null,
      example: null,
    });
  });

  test("C5 the words hold the base, the cap and the usual rate of a boost", () => {
    const boostedUntil = new Date("2026-12-01T00:00:00Z");
    expect(rateCard(percent(900, { capPence: 5_000, boostedUntil, usualBp: 400 } as Partial<RateView>))).toEqual({
      label: "Everything",
      pays: "9% cashback",
      base: "on the price without VAT and delivery",
      cap: "at most £50 a purchase",
      usual: "usually 4%",
      boostedUntil,
      example: "£100.00 basket: £83.33 without VAT → £7.49",
    });
  });

  test.each([
    [10_000, 8_333],
    [120, 100],
    [1, 1],
    [0, 0],
  ])("C5 %i pence are %i without VAT", (gross, net) => expect(withoutVat(gross)).toBe(net));
});
