import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { balancedLegs } from "../ledger/rules.ts";
import { GOODWILL_REASONS, GOODWILL_TRANSITIONS, goodwillLegs, goodwillProblem, isGoodwillReason } from "./rules.ts";

test("C7 the database has the transitions and the reasons of the rules", () => {
  const read = (path: string) => readFileSync(new URL(`../../db/${path}`, import.meta.url), "utf8");
  const pairs = [...read("functions/check_goodwill_change.sql").matchAll(/\('(\w+)', '(\w+)'\)/g)];
  const table = Object.entries(GOODWILL_TRANSITIONS).flatMap(([from, tos]) => tos.map((to) => `${from} -> ${to}`));
  expect(pairs.map(([, from, to]) => `${from} -> ${to}`)).toEqual(table);
  const [, reasons = ""] = /reason in \(([^)]+)\)/.exec(read("migrations/0038_goodwill.sql")) ?? [];
  expect([...reasons.matchAll(/'(\w+)'/g)].map(([, reason]) => reason)).toEqual(Object.keys(GOODWILL_REASONS));
  expect(isGoodwillReason("toString")).toBe(false);
  // They stand in the CSV as they are.
  for (const words of Object.values(GOODWILL_REASONS)) expect(words).toMatch(/^[A-Z][A-Za-z -]+$/);
});

test("C7 the limits hold to the penny, the member's before the day's", () => {
  const limits = { dayPence: 1000, memberPence: 500 };
  const none = { toAllToday: 0, toMemberThisYear: 0 };
  expect(goodwillProblem(500, none, limits)).toBeNull();
  expect(goodwillProblem(501, none, limits)).toEqual({ limit: "member", leftPence: 500 });
  expect(goodwillProblem(101, { toAllToday: 900, toMemberThisYear: 0 }, limits)).toEqual({
    limit: "day",
    leftPence: 100,
  });
  expect(goodwillProblem(100, { toAllToday: 900, toMemberThisYear: 400 }, limits)).toBeNull();
  expect(goodwillProblem(1, { toAllToday: 0, toMemberThisYear: 600 }, limits)).toEqual({
    limit: "member",
    leftPence: 0,
  });
  expect(goodwillProblem(1, none, { dayPence: 0, memberPence: 500 })).toEqual({ limit: "day", leftPence: 0 });
});

test("C4 a credit is balanced, and nothing once it was taken back", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (amountPence) => {
      const legs = goodwillLegs({ state: "given", memberId: "m", amountPence });
      expect(balancedLegs(legs)).toHaveLength(2);
      expect(goodwillLegs({ state: "reversed", memberId: "m", amountPence })).toEqual([]);
    }),
  );
});
