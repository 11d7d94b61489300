import { describe, expect, test } from "vitest";
import { DECLINE_REASONS } from "../networks/decline-reason.ts";
import { explainEntry, timelineSteps, type TimelineFacts } from "./timeline.ts";

const day = (date: number) => new Date(Date.UTC(2026, 10, date));
const expected = { from: day(20), to: day(29) };
const facts: TimelineFacts = {
  state: "tracked",
  isCorrection: false,
  clickedAt: day(1),
  trackedAt: day(2),
  confirmedAt: null,
  payableAt: null,
  paidAt: null,
  declinedAt: null,
  confirmExpected: expected,
  amountChanges: [],
};
const done = (step: string, date: number) => ({ step, at: day(date), expected: null });
const open = (step: string, range: typeof expected | null = null) => ({ step, at: null, expected: range });

describe("C3 the steps of a purchase", () => {
  test.each<[string, Partial<TimelineFacts>, object[]]>([
    [
      "tracked: the next steps are shown, with the promised range",
      {},
      [done("clicked", 1), done("tracked", 2), open("confirmed", expected), open("payable"), open("paid")],
    ],
    [
      "tracked, without a promised range",
      { confirmExpected: null },
      [done("clicked", 1), done("tracked", 2), open("confirmed"), open("payable"), open("paid")],
    ],
    [
      "confirmed: the date replaces the range",
      { state: "confirmed", confirmedAt: day(3) },
      [done("clicked", 1), done("tracked", 2), done("confirmed", 3), open("payable"), open("paid")],
    ],
    [
      "paid: every step with its day",
      { state: "paid", confirmedAt: day(3), payableAt: day(4), paidAt: day(5) },
      [done("clicked", 1), done("tracked", 2), done("confirmed", 3), done("payable", 4), done("paid", 5)],
    ],
    [
      "declined at once: no further steps are shown",
      { state: "declined", declinedAt: day(6) },
      [done("clicked", 1), done("tracked", 2), done("declined", 6)],
    ],
    [
      "declined after it was confirmed: the confirmation still shows",
      { state: "declined", confirmedAt: day(3), declinedAt: day(6) },
      [done("clicked", 1), done("tracked", 2), done("confirmed", 3), done("declined", 6)],
    ],
    [
      "a correction: has no tracked or confirmed step",
      { state: "payable", isCorrection: true, trackedAt: null, payableAt: day(7) },
      [done("clicked", 1), done("payable", 7), open("paid")],
    ],
  ])("C3 %s", (_, changes, steps) => {
    expect(timelineSteps({ ...facts, ...changes })).toEqual(steps);
  });
});

describe("C3 the sentence beside an entry", () => {
  const plain = {
    state: "tracked",
    isCorrection: false,
    isOverdue: false,
    reasonCode: null,
    confirmsAfter: "purchase",
  } as const;
  const waitsForStay = "This retailer confirms cashback after your stay.";
  test.each<[string, Partial<Parameters<typeof explainEntry>[0]>, string | null]>([
    ["tracked, in time", {}, null],
    ["tracked, before the stay", { confirmsAfter: "stay" }, waitsForStay],
    [
      "tracked, before the journey",
      { confirmsAfter: "travel" },
      "This retailer confirms cashback after you have travelled.",
    ],
    [
      "tracked, overdue",
      { isOverdue: true, confirmsAfter: "stay" },
      "The retailer is taking longer than usual to confirm this.",
    ],
    ["tracked, amended", { reasonCode: "amended", isOverdue: true }, DECLINE_REASONS.amended],
    ["confirmed, in time", { state: "confirmed", confirmsAfter: "stay" }, null],
    [
      "confirmed, overdue",
      { state: "confirmed", isOverdue: true, confirmsAfter: "stay" },
      "The retailer is taking longer than usual to pay us.",
    ],
    ["confirmed, amended", { state: "confirmed", reasonCode: "amended" }, DECLINE_REASONS.amended],
    ["declined with a reason", { state: "declined", reasonCode: "returned" }, DECLINE_REASONS.returned],
    ["declined without", { state: "declined" }, DECLINE_REASONS.not_given],
    ["declined for an unknown reason", { state: "declined", reasonCode: "toString" }, DECLINE_REASONS.not_given],
    ["an unknown reason, not declined", { reasonCode: "news" }, null],
    [
      "a correction with a reason",
      { state: "payable", isCorrection: true, reasonCode: "returned" },
      `${DECLINE_REASONS.returned} This corrects cashback that was already payable.`,
    ],
    [
      "a correction without",
      { state: "paid", isCorrection: true },
      `${DECLINE_REASONS.not_given} This corrects cashback that was already payable.`,
    ],
  ])("C3 %s", (_, changes, sentence) => expect(explainEntry({ ...plain, ...changes })).toBe(sentence));
});
