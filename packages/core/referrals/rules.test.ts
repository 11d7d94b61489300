import fc from "fast-check";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { makeClub } from "../cashback/cashback.testing.ts";
import {
  BONUS_TRANSITIONS,
  bonusLegs,
  canGo,
  isPosted,
  isReminderDue,
  nextBonusStep,
  nextLook,
  type BonusFacts,
  type BonusState,
} from "./rules.ts";
import { invite, start } from "./referrals.testing.ts";

const states = Object.keys(BONUS_TRANSITIONS) as BonusState[];
const facts = (changes: Partial<BonusFacts>): BonusFacts => ({
  state: "invited",
  hold: "none",
  purchase: "none",
  isFriendVerified: true,
  isOver: false,
  hasLeft: false,
  isOverCap: false,
  isStillThere: true,
  wasEarned: isPosted(changes.state ?? "invited"),
  ...changes,
});
const anyFacts = fc
  .record<BonusFacts>({
    state: fc.constantFrom(...states),
    hold: fc.constantFrom("none", "open", "refused"),
    purchase: fc.constantFrom("none", "tracked", "confirmed", "payable"),
    isFriendVerified: fc.boolean(),
    isOver: fc.boolean(),
    hasLeft: fc.boolean(),
    isOverCap: fc.boolean(),
    isStillThere: fc.boolean(),
    wasEarned: fc.boolean(),
  })
  .map((given) => ({ ...given, wasEarned: given.wasEarned || isPosted(given.state) }));

describe("C8 the lifecycle of a bonus", () => {
  test.each([
    ["no purchase", {}, "invited"],
    ["a tracked purchase", { purchase: "tracked" }, "qualifying"],
    ["a confirmed purchase", { purchase: "confirmed" }, "confirmed"],
    ["a payable purchase", { purchase: "payable" }, "payable"],
    [
      "a payable purchase of somebody who has proved nothing",
      { purchase: "payable", isFriendVerified: false },
      "qualifying",
    ],
    ["a payable purchase on hold", { purchase: "payable", hold: "open" }, "held"],
    ["a bonus in the balance, on hold", { state: "payable", purchase: "payable", hold: "open" }, "held"],
    [
      "a bonus that was withdrawn, on hold",
      { state: "payable", purchase: "payable", hold: "open", isStillThere: false },
      "payable",
    ],
    ["a refused hold", { state: "held", purchase: "payable", hold: "refused" }, "ended"],
    ["one too many", { purchase: "payable", isOverCap: true }, "ended"],
    ["one that was counted before", { state: "confirmed", purchase: "payable", isOverCap: true }, "payable"],
    ["a person who has left", { state: "confirmed", purchase: "confirmed", hasLeft: true }, "ended"],
    ["money of a person who has left", { state: "payable", purchase: "payable", hasLeft: true }, "payable"],
    ["a declined purchase", { state: "confirmed" }, "reversed"],
    ["a purchase taken back after withdrawal", { state: "payable", isStillThere: false }, "reversed"],
    ["a purchase approved after all", { state: "reversed", purchase: "payable" }, "payable"],
    ["time that is over", { isOver: true }, "expired"],
    ["a late report of a purchase in time", { state: "expired", isOver: true, purchase: "confirmed" }, "confirmed"],
    [
      "a membership that lapsed after the bonus",
      { state: "payable", purchase: "payable", isFriendVerified: false },
      "payable",
    ],
  ] as const)("C8 %s: %o makes it %s", (_, changes, state) => {
    expect(nextBonusStep(facts(changes)).state).toBe(state);
  });

  test("C8 every step that the facts call for is in the table, and the same facts call for no further one", () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const { state } = nextBonusStep(given);
        if (given.state !== state) expect(canGo(given.state, state), `${given.state} to ${state}`).toBe(true);
        // What the ledger holds changes with the state; all else stays.
        expect(nextBonusStep({ ...given, state, wasEarned: given.wasEarned || isPosted(state) }).state).toBe(state);
      }),
      { numRuns: 5_000 },
    );
  });

  test("C8 nothing is payable that is held, refused, over the cap, or of a purchase that is not payable", () => {
    fc.assert(
      fc.property(anyFacts, (given) => {
        const { state } = nextBonusStep(given);
        if (state !== "payable" || given.state === "payable") return;
        expect(given).toMatchObject({ hold: "none", purchase: "payable", hasLeft: false });
        expect(given.wasEarned || (given.isFriendVerified && !given.isOverCap)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test("C8 C4 a bonus is one member's money against club_bonuses, or nothing", () => {
    for (const state of states) {
      const legs = bonusLegs("m", { state, amountPence: 500 });
      expect(legs.reduce((sum, leg) => sum + leg.amountPence, 0)).toBe(0);
      expect(legs.length, state).toBe(state === "confirmed" || state === "payable" ? 2 : 0);
    }
  });

  test("C8 the database has the same transitions", async () => {
    const { db } = await testDatabase();
    const club = await makeClub(db);
    await start(db, club.brandId);
    const { referralId } = await invite(db, club);
    const { id } = await db
      .selectFrom("bonuses")
      .select("id")
      .where("referral_id", "=", referralId!)
      .where("side", "=", "friend")
      .executeTakeFirstOrThrow();
    const dates = { earned_at: new Date(), payable_at: new Date() };
    const reason = (state: string) => (state === "ended" ? "left" : null);
    for (const from of states)
      for (const to of states) {
        if (from === to) continue;
        const isAllowed = await db
          .transaction()
          .execute(async (trx) => {
            await sql`alter table bonuses disable trigger bonuses_lifecycle`.execute(trx);
            await trx
              .updateTable("bonuses")
              .set({ state: from, end_reason: reason(from), version: 1, ...dates })
              .where("id", "=", id)
              .execute();
            await sql`alter table bonuses enable trigger bonuses_lifecycle`.execute(trx);
            await trx
              .updateTable("bonuses")
              .set({ state: to, end_reason: reason(to), version: 2 })
              .where("id", "=", id)
              .execute();
            return true;
          })
          .catch((error: unknown) => {
            expect(String(error)).toContain("a bonus cannot go from");
            return false;
          });
        expect(isAllowed, `${from} to ${to}`).toBe(canGo(from, to));
      }
  });
});

describe("C8 when a referral is looked at", () => {
  test("C8 a referral is looked at for the reminder, then for its end, then no more", () => {
    const qualifyUntil = new Date("2026-12-20T00:00:00Z");
    const waiting = { qualifyUntil, isReminded: false, isWaiting: true };
    const reminder = new Date("2026-12-13T00:00:00Z");
    expect(nextLook(waiting, new Date("2026-12-01T00:00:00Z"))).toEqual(reminder);
    expect(isReminderDue(waiting, new Date(reminder.getTime() - 1))).toBe(false);
    expect(isReminderDue(waiting, reminder)).toBe(true);
    expect(isReminderDue({ ...waiting, isReminded: true }, reminder)).toBe(false);
    expect(isReminderDue(waiting, qualifyUntil)).toBe(false);
    expect(nextLook(waiting, reminder)).toEqual(new Date("2027-01-19T00:00:00Z"));
    expect(nextLook({ ...waiting, isWaiting: false }, reminder)).toBeNull();
    const last = new Date("2027-01-19T00:00:00Z");
    expect(nextLook(waiting, new Date(last.getTime() - 1))).toEqual(last);
    for (const late of [last, new Date("2027-03-01T00:00:00Z")])
      expect(nextLook(waiting, late), "a purchase that waits for its shop is no reason to look again").toBeNull();
  });
});
