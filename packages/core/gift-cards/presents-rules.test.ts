import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isOpenToChange, londonTime, PRESENT_TRANSITIONS, sendAt, type PresentState } from "./presents-rules.ts";
import { dueReminder, isExpired, leftOn, nextReminder, reminderAt, type Reminder } from "./wallet-rules.ts";

const functionText = readFileSync(
  new URL("../../db/functions/check_gift_card_present_change.sql", import.meta.url),
  "utf8",
);
const states = Object.keys(PRESENT_TRANSITIONS) as PresentState[];

test("G6 the database's lifecycle of presents has the transitions of the rules", () => {
  const pairs = [...functionText.matchAll(/\('(\w+)', '(\w+)'\)/g)].map(([, from, to]) => `${from} -> ${to}`);
  const rules = states.flatMap((from) => PRESENT_TRANSITIONS[from].map((to) => `${from} -> ${to}`));
  expect(pairs.sort()).toEqual(rules.sort());
});

test("G6 a present that was opened or taken back stays as it is", () => {
  expect(states.filter((state) => PRESENT_TRANSITIONS[state].length === 0)).toEqual(["opened", "taken_back"]);
  expect(states.filter(isOpenToChange)).toEqual(["planned", "sent", "bounced"]);
});

test.each([
  ["in winter", "2026-12-24", "2026-12-24T08:00:00.000Z"],
  ["in summer", "2027-06-24", "2027-06-24T07:00:00.000Z"],
  ["on the day on which summer time begins", "2027-03-28", "2027-03-28T07:00:00.000Z"],
  ["on the day on which it ends", "2027-10-31", "2027-10-31T08:00:00.000Z"],
])("G6 a present is sent at 8:00 in London %s", (_, day, at) => {
  expect(sendAt(day, new Date("2026-11-20T10:00:00Z")).toISOString()).toBe(at);
});

test("G6 a present for today, without a day, or for a day that is past is sent at once", () => {
  const now = new Date("2027-06-23T23:30:00Z"); // 24 June in London
  for (const day of [null, "2027-06-24", "2027-06-23"]) expect(sendAt(day, now)).toEqual(now);
  expect(sendAt("2027-06-25", now)).toEqual(londonTime("2027-06-25", 8));
});

test("G6 what is left is what the issuer said without what was noted since, and never below zero", () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 20, hour));
  const spends = [
    { amountPence: 700, notedAt: at(9) },
    { amountPence: 500, notedAt: at(11) },
  ];
  expect(leftOn({ facePence: 2500, spends, read: null })).toBe(1300);
  expect(leftOn({ facePence: 2500, spends, read: { leftPence: 2000, readAt: at(10) } })).toBe(1500);
  expect(leftOn({ facePence: 2500, spends, read: { leftPence: 300, readAt: at(10) } })).toBe(0);
});

test("G6 a card can be used until the end of its last day in London", () => {
  expect(isExpired("2027-06-24", new Date("2027-06-24T22:59:59Z"))).toBe(false);
  expect(isExpired("2027-06-24", new Date("2027-06-24T23:00:00Z"))).toBe(true);
  expect(isExpired(null, new Date("2099-01-01T00:00:00Z"))).toBe(false);
});

test("G6 reminders are due 30 and 7 days before the last day, at 9:00 in London", () => {
  expect(reminderAt("2027-07-30", 30).toISOString()).toBe("2027-06-30T08:00:00.000Z");
  expect(nextReminder("2027-07-30", new Date("2027-01-01T00:00:00Z"))).toEqual(reminderAt("2027-07-30", 30));
  expect(nextReminder("2027-07-30", reminderAt("2027-07-30", 30))).toEqual(reminderAt("2027-07-30", 7));
  expect(nextReminder("2027-07-30", reminderAt("2027-07-30", 7))).toBeNull();
  expect(nextReminder(null, new Date(0))).toBeNull();
});

test("G6 whenever a worker looks, an owner gets each reminder at most once, and none before its time", () => {
  const expiresOn = "2027-07-30";
  const start = Date.parse("2027-05-01T00:00:00Z");
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 0, max: 100 * 24 }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 80 * 24 }),
      (hours, issuedHour) => {
        const issuedAt = new Date(start + issuedHour * 3_600_000);
        let reminded: Reminder | null = null;
        const sent: number[] = [];
        for (const hour of hours.toSorted((a, b) => a - b)) {
          const now = new Date(start + hour * 3_600_000);
          const due = dueReminder({ expiresOn, reminded, issuedAt }, now);
          if (due === null) continue;
          expect(now >= reminderAt(expiresOn, due)).toBe(true);
          expect(reminderAt(expiresOn, due) > issuedAt).toBe(true);
          expect(isExpired(expiresOn, now)).toBe(false);
          sent.push(due);
          reminded = due;
        }
        expect([[], [30], [7], [30, 7]]).toContainEqual(sent);
      },
    ),
  );
});
