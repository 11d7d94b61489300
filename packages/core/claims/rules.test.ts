import { describe, expect, test } from "vitest";
import type { FrozenRate } from "../clicks/rate-snapshot.ts";
import { DECISION_FACTS, type DeclineReason } from "../networks/decline-reason.ts";
import { orderKey } from "../claimed-orders/rules.ts";
import {
  addDays,
  APPEAL_DAYS,
  appealableUntil,
  canGo,
  canWithdraw,
  claimStates,
  dayFault,
  DEFAULT_RULE,
  expectedAmounts,
  nextAsk,
  placeIn,
  purchasedAt,
  purchaseKind,
  purchaseWindow,
  ruleWords,
  stateAfterAnswer,
  untrackedWindow,
} from "./rules.ts";
import { TYPED_ORDER_PATTERN } from "./form-limits.ts";
import { claimRuleSchema, typedOfRule } from "./rule-schema.ts";
import { readClaim } from "./schema.ts";

const clickedAt = new Date("2026-10-01T09:00:00Z");
const tracking = {
  tracksWithinDays: { min: 1, max: 3 },
  confirmsWithinDays: { min: 35, max: 75 },
  confirmsAfter: "purchase" as const,
};

describe("C7 when a claim can be filed", () => {
  test.each([
    ["what the page promised", { rule: DEFAULT_RULE, p95Days: null }, 3],
    ["what 95 of 100 purchases take", { rule: DEFAULT_RULE, p95Days: 12 }, 12],
    ["the retailer's own rule", { rule: { ...DEFAULT_RULE, opensAfterDays: 7 }, p95Days: 12 }, 7],
    ["never after the end", { rule: { ...DEFAULT_RULE, closesAfterDays: 10 }, p95Days: 40 }, 9],
  ])("C7 opens by %s", (_, how, days) => {
    const { opensAt, closesAt } = untrackedWindow({ clickedAt, tracking, ...how });
    expect(opensAt).toEqual(addDays(clickedAt, days));
    expect(closesAt).toEqual(addDays(clickedAt, how.rule.closesAfterDays));
  });

  test("C7 at the moment, just before and just after", () => {
    const window = { opensAt: addDays(clickedAt, 3), closesAt: addDays(clickedAt, 90) };
    const at = (moment: Date, ms: number) => placeIn(window, new Date(moment.getTime() + ms));
    expect([-1, 0, 1].map((ms) => at(window.opensAt, ms))).toEqual(["early", "open", "open"]);
    expect([-1, 0, 1].map((ms) => at(window.closesAt, ms))).toEqual(["open", "late", "late"]);
  });

  test("C7 an appeal counts from the decline, a wrong amount from the day it tracked", () => {
    const [trackedAt, declinedAt] = [addDays(clickedAt, 1), addDays(clickedAt, 100)];
    const facts = { trackedAt, declinedAt, rule: DEFAULT_RULE };
    expect(purchaseWindow("declined", facts).closesAt).toEqual(addDays(declinedAt, APPEAL_DAYS));
    expect(purchaseWindow("incorrect", facts).closesAt).toEqual(addDays(trackedAt, 90));
  });

  test("C7 what can be said against a purchase follows from the reason's facts", () => {
    expect(purchaseKind("tracked", null)).toBe("incorrect");
    expect(purchaseKind("confirmed", "amended")).toBe("incorrect");
    expect(purchaseKind("payable", null)).toBeNull();
    expect(purchaseKind("paid", null)).toBeNull();
    for (const reason of Object.keys(DECISION_FACTS) as DeclineReason[])
      expect(purchaseKind("declined", reason), reason).toBe(DECISION_FACTS[reason].appeal === null ? null : "declined");
  });
});

describe("C7 a retailer's rule", () => {
  const rule = { opensAfterDays: 14, closesAfterDays: 75, needsEvidence: true };
  const typed = { from: "14", to: "75", evidence: "yes" };

  test("C7 is read from what is typed, and typed again as it is", () => {
    expect(claimRuleSchema.parse({ ...typed, from: " 14 " })).toEqual(rule);
    expect(typedOfRule(rule)).toEqual(typed);
    for (const from of ["", "usual", " Usual "])
      expect(claimRuleSchema.parse({ from, to: "730", evidence: "no" })).toEqual({
        ...{ opensAfterDays: null, closesAfterDays: 730, needsEvidence: false },
      });
    expect(typedOfRule({ ...rule, opensAfterDays: null }).from).toBe("");
  });

  test.each([
    [{ from: "366", to: "700" }, { from: "from 0 to 365" }],
    [{ from: "-1" }, { from: "from 0 to 365" }],
    [{ from: "1.5" }, { from: "from 0 to 365" }],
    [{ from: "usually" }, { from: "or “usual”" }],
    [{ to: "731" }, { to: "from 1 to 730" }],
    [{ from: "usual", to: "0" }, { to: "from 1 to 730" }],
    [{ to: "" }, { to: "from 1 to 730" }],
    [{ from: "75" }, { to: "after the first" }],
    [{ evidence: "perhaps" }, { evidence: "Choose whether" }],
  ])("C7 %j is refused in words", (wrong, faults) => {
    const { error } = claimRuleSchema.safeParse({ ...typed, ...wrong });
    expect(error?.issues.map(({ path }) => path[0])).toEqual(Object.keys(faults));
    expect(error?.issues[0]?.message).toContain(Object.values(faults)[0]);
  });

  test("C7 says from which day claims are filed, with what is usual there, and always leaves a day", () => {
    const measured = { p95Days: 9, promisedDays: 7 };
    expect(ruleWords(rule, measured)).toBe(
      "Claims can be filed from day 14 to day 75 after a visit; the usual time is what 95 of 100 purchases take: 9 days. A claim needs evidence.",
    );
    expect(ruleWords(DEFAULT_RULE, measured)).toContain("from day 9 to day 90");
    expect(ruleWords(DEFAULT_RULE, { p95Days: null, promisedDays: 1 })).toBe(
      "Claims can be filed from day 1 to day 90 after a visit; the usual time is what the retailer’s page promises: 1 day. A claim needs no evidence.",
    );
    expect(ruleWords({ ...DEFAULT_RULE, closesAfterDays: 5 }, measured)).toContain("from day 4 to day 5");
  });
});

describe("C7 the lifecycle", () => {
  test("C7 what is over stays over, and a decline can be appealed once", () => {
    for (const over of ["credited", "withdrawn", "expired"] as const)
      for (const state of claimStates) expect(canGo(over, state), `${over} to ${state}`).toBe(false);
    const declined = { state: "declined" as const, decidedAt: clickedAt, reason: "other" as const };
    expect(appealableUntil({ ...declined, filings: 1 })).toEqual(addDays(clickedAt, APPEAL_DAYS));
    expect(appealableUntil({ ...declined, filings: 2 })).toBeNull();
    expect(appealableUntil({ ...declined, filings: 1, reason: "insolvent" })).toBeNull();
    expect(appealableUntil({ ...declined, filings: 1, state: "filed" })).toBeNull();
  });

  test("C7 a member takes back only what was never sent", () => {
    const can = claimStates.filter((state) => canWithdraw({ state, filings: 0 }));
    expect(can).toEqual(["waiting", "incomplete", "open"]);
    expect(claimStates.filter((state) => canWithdraw({ state, filings: 1 }))).toEqual([]);
  });

  test("C7 a question that was answered is not asked again", () => {
    const asks = { state: "incomplete" as const, answer: "The invoice, please" };
    expect(stateAfterAnswer({ state: "filed", asked: null }, asks)).toBe("incomplete");
    expect(stateAfterAnswer({ state: "incomplete", asked: "The invoice, please" }, asks)).toBeNull();
    expect(stateAfterAnswer({ state: "filed", asked: "The invoice, please" }, asks)).toBeNull();
    expect(stateAfterAnswer({ state: "filed", asked: "Something else" }, asks)).toBe("incomplete");
    const open = { state: "open" as const, answer: null };
    expect(stateAfterAnswer({ state: "filed", asked: null }, open)).toBeNull();
    expect(stateAfterAnswer({ state: "open", asked: null }, open)).toBe("filed");
    expect(stateAfterAnswer({ state: "incomplete", asked: "x" }, open)).toBe("filed");
  });

  test("C7 asks again after 20 seconds, then ever less often, and twice a day at least", () => {
    const wait = (age: number) =>
      nextAsk(clickedAt, new Date(clickedAt.getTime() + age)).getTime() - clickedAt.getTime() - age;
    expect([0, 400_000, 90 * 86_400_000].map(wait)).toEqual([20_000, 100_000, 12 * 3_600_000]);
  });
});

describe("C7 what a member says", () => {
  const values = { order_number: "#A 1/2", purchased_on: "01-10-26", amount: "£64.50", words: "" };
  const now = addDays(clickedAt, 40);
  const read = (changes: Partial<typeof values>) => readClaim({ ...values, ...changes }, { clickedAt, now });

  test("C7 reads an order number, a day and an amount", () => {
    expect(read({}).value).toEqual({
      orderReference: "#A 1/2",
      purchasedOn: "2026-10-01",
      salePence: 6450,
      words: null,
    });
  });

  test.each([
    ["order_number", ["", " ", "ä", "a\nb", "a\u0000", "x".repeat(61), "\u200b", "№12"]],
    ["purchased_on", ["", "32-10-26", "30-09-26", "01-11-26", "01-12-26", "yesterday"]],
    ["amount", ["", "0", "-1", "1.234", "£", "100001", "1e5", "NaN"]],
    ["words", ["x".repeat(301)]],
  ] as const)("C7 refuses a wrong %s, at its field", (name, wrong) => {
    for (const text of wrong) {
      const { errors } = read({ [name]: text });
      expect(Object.keys(errors ?? {}), JSON.stringify(text)).toEqual([name]);
    }
  });

  test.each([
    ["spaces around it", " CJ-12345\t", "CJ-12345"],
    ["a no-break space after it", "CJ-12345\u00a0", "CJ-12345"],
    ["a no-break space in it", "CJ\u00a012345", "CJ 12345"],
    ["an en dash", "FB–75629532", "FB-75629532"],
    ["a minus sign and a no-break hyphen", "1\u22122\u20113", "1-2-3"],
    ["unseen marks of direction and a soft hyphen", "\u200e203\u00ad-44\u200f", "203-44"],
    ["sixty characters and spaces", ` ${"x".repeat(60)} `, "x".repeat(60)],
  ])("C7 an order number with %s is read as its plain characters, and its field takes it", (_, typed, plain) => {
    expect(read({ order_number: typed }).value?.orderReference).toBe(plain);
    // As browsers compile a field's pattern.
    expect(typed).toMatch(new RegExp(`^(?:${TYPED_ORDER_PATTERN})$`, "v"));
  });

  test("C7 an order number's field refuses other letters and more than sixty characters", () => {
    const pattern = new RegExp(`^(?:${TYPED_ORDER_PATTERN})$`, "v");
    for (const typed of ["ä", "№12", "x".repeat(61)]) expect(typed).not.toMatch(pattern);
  });

  test("C7 order numbers are compared without case, spaces around and a leading #", () => {
    expect([" ab-1 ", "#AB-1", "ab-1", "AB–1\u00a0"].map(orderKey)).toEqual(["AB-1", "AB-1", "AB-1", "AB-1"]);
  });

  test("C7 a day is one of the thirty after the visit, in London", () => {
    const fault = (day: string) => dayFault(day, "2026-10-01", "2026-11-20");
    expect(["2026-09-30", "2026-10-01", "2026-10-31", "2026-11-01", "2026-11-21"].map(fault)).toEqual([
      "early",
      null,
      null,
      "late",
      "future",
    ]);
    expect(purchasedAt("2026-10-01", new Date("2026-10-01T18:00:00Z"), now)).toEqual(new Date("2026-10-01T18:01:00Z"));
  });

  const named = { groupId: "1", label: "", basis: "", boostedUntil: null };
  type Changes = { usual?: number; capPence?: number };
  const percent = (rateBp: number, { usual = rateBp, capPence }: Changes = {}): FrozenRate => ({
    ...{ ...named, kind: "percent", rateBp, usualBp: usual, capPence: capPence ?? null },
  });
  const fixed = (ratePence: number, { usual = ratePence, capPence }: Changes = {}): FrozenRate => ({
    ...{ ...named, kind: "fixed", ratePence, usualPence: usual, capPence: capPence ?? null },
  });

  test.each<[string, FrozenRate[], { cashbackPence: number; commissionPence: number | null } | null]>([
    ["a percentage", [percent(600)], { cashbackPence: 600, commissionPence: 800 }],
    ["a fixed amount", [fixed(450)], { cashbackPence: 450, commissionPence: 600 }],
    ["a cap is the club's own", [percent(600, { capPence: 300 })], { cashbackPence: 300, commissionPence: 800 }],
    ["a cap of a fixed amount", [fixed(450, { capPence: 300 })], { cashbackPence: 300, commissionPence: 600 }],
    ["a boost is the club's own", [percent(900, { usual: 600 })], { cashbackPence: 900, commissionPence: 800 }],
    ["a boost of a fixed amount", [fixed(900, { usual: 450 })], { cashbackPence: 900, commissionPence: 600 }],
    [
      "a boost within a cap",
      [percent(900, { usual: 600, capPence: 700 })],
      { cashbackPence: 700, commissionPence: 800 },
    ],
    ["the first rate that pays", [percent(0), percent(300), fixed(9)], { cashbackPence: 300, commissionPence: 400 }],
    ["a boost alone", [percent(300, { usual: 0 })], { cashbackPence: 300, commissionPence: null }],
    ["rates that pay nothing", [percent(0), fixed(0)], null],
    ["no rate", [], null],
  ])("C5 C7 a network is told the commission of the usual rate: %s", (_, rates, expected) => {
    expect(expectedAmounts({ offerTitle: null, memberShareBp: 7500, tracking, rates }, 10_000)).toEqual(expected);
  });

  test("C7 a network whose commission members get nothing of is told no commission", () => {
    const snapshot = { offerTitle: null, memberShareBp: 0, tracking, rates: [percent(600)] };
    expect(expectedAmounts(snapshot, 10_000)).toEqual({ cashbackPence: 600, commissionPence: null });
  });
});
