import { describe, expect, test } from "vitest";
import type { FrozenRate } from "../clicks/rate-snapshot.ts";
import type { TransactionPart } from "../networks/network-transaction.ts";
import { workOutCashback, type Sale } from "./earnings.ts";

const common = { label: "", basis: "", capPence: null, boostedUntil: null };
const percent = (groupId: string, rateBp: number, capPence: number | null = null): FrozenRate => ({
  ...{ ...common, capPence, kind: "percent", groupId, rateBp, usualBp: rateBp },
});
const fixed = (groupId: string, ratePence: number): FrozenRate => ({
  ...{ ...common, kind: "fixed", groupId, ratePence, usualPence: ratePence },
});
const part = (group: { id?: string; code?: string }, saleMinor: number, commissionMinor: number): TransactionPart => ({
  ...{ groupId: group.id ?? null, groupCode: group.code ?? null, saleMinor, commissionMinor },
});
const sale = (parts: TransactionPart[], more: Partial<Sale> = {}): Sale => ({
  currency: "GBP",
  parts,
  saleMinor: parts.reduce((sum, one) => sum + one.saleMinor, 0),
  commissionMinor: parts.reduce((sum, one) => sum + one.commissionMinor, 0),
  ...more,
});
/** 6 % of £100.00 is £6.00, half of the commission of £9.00 is £4.50: which of the two was paid can be told. */
const earn = (one: Sale, rates: FrozenRate[], exchangeRate = 1_000_000) =>
  workOutCashback(one, { rates, memberShareBp: 5_000 }, exchangeRate);

describe("C5 the rate of each part of a purchase", () => {
  const rates = [percent("1", 600), percent("FOOD", 200)];
  test.each<[string, TransactionPart[], FrozenRate[], number]>([
    ["by the group's id", [part({ id: "1" }, 10_000, 900)], rates, 600],
    ["by the group's code if the id matches no rate", [part({ id: "77", code: "FOOD" }, 10_000, 900)], rates, 200],
    ["by the code alone", [part({ code: "FOOD" }, 10_000, 900)], rates, 200],
    ["by the id before the code", [part({ id: "1", code: "FOOD" }, 10_000, 900)], rates, 600],
    ["a group without a rate earns the member's share", [part({ id: "9" }, 10_000, 900)], rates, 450],
    ["also if the only rate is another group's", [part({ id: "9" }, 10_000, 900)], [percent("1", 600)], 450],
    ["also if its code matches no rate", [part({ code: "TOYS" }, 10_000, 900)], [percent("1", 600)], 450],
    ["without a group, a single rate applies", [part({}, 10_000, 900)], [percent("1", 600)], 600],
    ["without a group, two rates: the share, because no rate can be chosen", [part({}, 10_000, 900)], rates, 450],
    ["no rates at all", [part({ id: "1" }, 10_000, 900)], [], 450],
    ["groups add up", [part({ id: "1" }, 10_000, 900), part({ code: "FOOD" }, 5_000, 1)], rates, 700],
  ])("C5 %s", (_, parts, given, pence) => expect(earn(sale(parts), given).cashbackPence).toBe(pence));

  test("C5 what one group takes back lowers what another earns, and never below zero", () => {
    const bought = part({ id: "1" }, 10_000, 900);
    expect(earn(sale([bought, part({ code: "FOOD" }, -5_000, -400)]), rates).cashbackPence).toBe(500);
    expect(earn(sale([bought, part({ id: "9" }, -5_000, -400)]), rates).cashbackPence).toBe(400);
    expect(earn(sale([bought, part({ id: "1" }, -5_000, -400)]), rates).cashbackPence).toBe(300);
    expect(earn(sale([bought, part({ id: "2" }, -1_000, -90)]), [...rates, fixed("2", 250)]).cashbackPence).toBe(350);
    expect(earn(sale([part({ id: "1" }, 1_000, 900), part({ id: "9" }, -5_000, -400)]), rates).cashbackPence).toBe(0);
  });

  test("C5 without parts, the whole purchase is one part without a group", () => {
    expect(earn(sale([], { saleMinor: 10_000, commissionMinor: 900 }), [percent("1", 600)])).toEqual({
      ...{ salePence: 10_000, commissionPence: 900, cashbackPence: 600 },
    });
    expect(earn(sale([], { saleMinor: 10_000, commissionMinor: 900 }), rates).cashbackPence).toBe(450);
  });

  test("C5 with parts, the total itself earns nothing", () => {
    const odd = sale([part({ id: "1" }, 1_000, 90)], { saleMinor: 99_999, commissionMinor: 9_999 });
    expect(earn(odd, rates)).toEqual({ salePence: 99_999, commissionPence: 9_999, cashbackPence: 60 });
  });
});

describe("C5 a part without commission earns nothing yet", () => {
  const rates = [percent("1", 600)];
  test.each<[string, TransactionPart[], FrozenRate[], number]>([
    ["alone", [part({ id: "1" }, 10_000, 0)], rates, 0],
    ["next to a part with commission", [part({ id: "1" }, 10_000, 0), part({ id: "1" }, 5_000, 400)], rates, 300],
    ["a part with negative commission", [part({ id: "1" }, 10_000, -5), part({ id: "1" }, 5_000, 400)], rates, 300],
    [
      "more commission taken back than earned",
      [part({ id: "1" }, 10_000, 100), part({ id: "1" }, 5_000, -400)],
      rates,
      0,
    ],
    [
      "as much commission taken back as earned",
      [part({ id: "1" }, 10_000, 400), part({ id: "1" }, 5_000, -400)],
      rates,
      0,
    ],
    ["one penny of commission is enough", [part({ id: "1" }, 10_000, 1)], rates, 600],
    ["a fixed amount", [part({ id: "1" }, 10_000, 0)], [fixed("1", 2_500)], 0],
    [
      "without a rate, the share of the remaining commission",
      [part({ id: "9" }, 1, 900), part({ id: "9" }, 1, -300)],
      rates,
      300,
    ],
    ["without a rate, a negative remainder", [part({ id: "9" }, 1, 300), part({ id: "9" }, 1, -900)], rates, 0],
    ["a negative sale", [part({ id: "1" }, -10_000, 1)], rates, 0],
  ])("C5 %s", (_, parts, given, pence) => expect(earn(sale(parts), given).cashbackPence).toBe(pence));
});

test("C5 a cap and a fixed amount apply once per group, whatever its number of parts", () => {
  const twice = [part({ id: "1" }, 50_000, 900), part({ id: "1" }, 50_000, 900)];
  expect(earn(sale(twice), [percent("1", 600, 2_000)]).cashbackPence).toBe(2_000);
  expect(earn(sale(twice), [fixed("1", 2_500)]).cashbackPence).toBe(2_500);
  expect(earn(sale(twice), [percent("1", 600, 7_000)]).cashbackPence).toBe(6_000);
});

test("C5 each amount is converted at the frozen exchange rate before the share is taken", () => {
  const euros = sale([part({ id: "1" }, 10_000, 900)], { currency: "EUR" });
  expect(earn(euros, [percent("1", 600)], 855_000)).toEqual({
    ...{ salePence: 8_550, commissionPence: 769, cashbackPence: 513 },
  });
  expect(earn(euros, [], 855_000).cashbackPence).toBe(384);
});
