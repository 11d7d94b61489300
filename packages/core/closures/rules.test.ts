import { expect, test } from "vitest";
import { readPayee, sortCodeInPairs } from "../bank-details/rules.ts";
import { needsPayee, nextClosureStep, type ClosureNow } from "./rules.ts";

const until = new Date("2026-11-27T10:00:00Z");
const closure: ClosureNow = {
  state: "requested",
  pendingChoice: "wait",
  payableChoice: "pay-out",
  cancellableUntil: until,
  pendingPence: 0,
  payablePence: 0,
};

test.each([
  ["during the cooling-off week", { payablePence: 500 }, new Date(until.getTime() - 1), "wait"],
  ["with nothing", {}, until, "close"],
  ["with money to pay", { payablePence: 500 }, until, "await-payout"],
  ["with pending money waited for", { pendingPence: 1, payablePence: 500 }, until, "wait"],
  [
    "with pending money given up",
    { pendingPence: 1, payablePence: 500, pendingChoice: "give-up" },
    until,
    "await-payout",
  ],
  ["with money given up", { payablePence: 500, payableChoice: "give-up" }, until, "close"],
  ["with a debt, which the member is never asked to pay", { payablePence: -500 }, until, "close"],
  ["that waits for its payout", { state: "awaiting_payout", payablePence: 1 }, until, "wait"],
  ["whose last payout was taken back", { state: "awaiting_payout", payablePence: 0 }, until, "close"],
  ["whose last payout was taken back, and more", { state: "awaiting_payout", payablePence: -1 }, until, "close"],
  [
    "whose last payout was taken back, with pending money waited for",
    { state: "awaiting_payout", pendingPence: 1 },
    until,
    "wait",
  ],
  [
    "whose last payout was taken back, with pending money given up",
    { state: "awaiting_payout", pendingPence: 1, pendingChoice: "give-up" },
    until,
    "close",
  ],
  ["that is already paid", { state: "closed", payablePence: 500 }, until, "wait"],
] as const)("M5 a closure %s", (_, changes, now, step) => {
  expect(nextClosureStep({ ...closure, ...changes }, now)).toBe(step);
});

test("M5 bank details are asked for if a payment is possible", () => {
  const choices = { pendingChoice: "wait", payableChoice: "pay-out" } as const;
  expect(needsPayee(choices, { pendingPence: 0, payablePence: 1 })).toBe(true);
  expect(needsPayee(choices, { pendingPence: 1, payablePence: 0 })).toBe(true);
  expect(needsPayee({ ...choices, pendingChoice: "give-up" }, { pendingPence: 1, payablePence: 0 })).toBe(false);
  expect(needsPayee({ ...choices, payableChoice: "give-up" }, { pendingPence: 1, payablePence: 1 })).toBe(false);
  expect(needsPayee(choices, { pendingPence: 0, payablePence: -1 })).toBe(false);
});

const read = (sort_code: string, account_number: string, payee_name = "Ada Lovelace") => {
  const form: Record<string, string> = { sort_code, account_number, payee_name };
  return readPayee((name) => form[name] ?? "");
};

test("C6 reads sort codes and account numbers as people write them", () => {
  const payee = { name: "Ada Lovelace", sortCode: "200000", accountNumber: "55779911" };
  for (const sortCode of ["200000", "20-00-00", "20 00 00", "20–00–00"])
    expect(read(sortCode, "5577 9911").value).toEqual(payee);
  expect(sortCodeInPairs("200000")).toBe("20-00-00");
});

test.each([
  ["20000", "55779911"],
  ["2000000", "55779911"],
  ["000000", "55779911"],
  ["20000a", "55779911"],
  ["٢٠٠٠٠٠", "55779911"],
  ["200000", "5577991"],
  ["200000", "557799112"],
  ["200000", "00000000"],
  ["200000", "GB29NWBK"],
])("C6 refuses %s and %s and says what to do", (sortCode, accountNumber) => {
  const { value, errors } = read(sortCode, accountNumber);
  expect(value).toBeNull();
  expect(Object.values(errors ?? {}).join(" ")).toMatch(/six digits|eight digits/);
});

test("C6 refuses a name with a line break, which would break the bank's file", () => {
  expect(read("200000", "55779911", "Ada\nLovelace").errors).toHaveProperty("payee_name");
  expect(read("200000", "55779911", "").errors).toHaveProperty("payee_name");
});
