import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import fc from "fast-check";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { claimRow, makeClaimClub, madeClaim, OPEN } from "../claims/claims.testing.ts";
import { decideClaim } from "../claims/operators.server.ts";
import { findBalance } from "../ledger/balances.server.ts";
import { checkLedger } from "../ledger/check.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember, insertVerifiedMember } from "../testing/insert-member.testing.ts";
import { checkGoodwill } from "./check.server.ts";
import { creditsCsv } from "./credits-csv.server.ts";
import { findGoodwill } from "./find-goodwill.server.ts";
import { giveGoodwill, reverseGoodwill, type NewGoodwill } from "./operations.server.ts";

const { db } = await testDatabase();
const start = new Date("2026-11-20T10:00:00Z");
const HOUR_MS = 3_600_000;
const hoursLater = (hours: number) => new Date(start.getTime() + hours * HOUR_MS);

afterEach(async () => {
  expect([...(await checkLedger(db)).faults, ...(await checkGoodwill(db))]).toEqual([]);
});

async function newMember() {
  const { id: brandId } = await insertBrand(db);
  const { id: memberId } = await insertVerifiedMember(db, { brandId });
  return { brandId, memberId };
}
let references = 0;
// A club has a reference of its own, that of a random click, which is no reference of a credit.
const give = ({ brandId, memberId }: { brandId: string; memberId: string }, more: Partial<NewGoodwill> = {}) =>
  giveGoodwill(db, {
    ...{ amountPence: 500, reason: "delay", note: "a note", reference: `T-${(references += 1)}`, claimPublicId: null },
    ...{ limits: { dayPence: 1_000_000, memberPence: 2_000 }, by: "op", now: start },
    ...{ brandId, memberId },
    ...more,
  });
const payable = (memberId: string) => findBalance(db, { account: { kind: "member_payable", memberId } });
const mailsTo = async (memberId: string) => {
  const { rows } = await sql<{ data: { amountPence: number; isReversed: boolean; claim: string | null } }>`
    select data from mails where member_id = ${memberId} and kind = 'goodwill' order by id`.execute(db);
  return rows.map(({ data }) => data);
};

describe("C7 goodwill", () => {
  test("C7 C4 a credit is the member's at once, with a mail; repeated it does nothing, and 20 at once credit once", async () => {
    const member = await newMember();
    const credit = { reference: "T/once.1", amountPence: 1_250 };
    const given = await Promise.all(Array.from({ length: 20 }, () => give(member, credit)));
    expect(given.filter((one) => one.outcome === "given" && one.isNew)).toHaveLength(1);
    expect(given.filter((one) => one.outcome === "given")).toHaveLength(20);
    expect(await payable(member.memberId)).toBe(1_250);
    expect(await mailsTo(member.memberId)).toEqual([
      { amountPence: 1_250, reason: "delay", isReversed: false, claim: null },
    ]);
  });

  test("C7 a reference that was used for another amount, reason or member is refused, and free at another brand", async () => {
    const [member, other] = [await newMember(), await newMember()];
    await give(member, { reference: "T-taken" });
    const neighbour = { brandId: member.brandId, memberId: (await insertVerifiedMember(db, member)).id };
    for (const attempt of [
      give(member, { reference: "T-taken", amountPence: 501 }),
      give(member, { reference: "T-taken", reason: "thank_you" }),
      give(neighbour, { reference: "T-taken" }),
    ])
      expect(await attempt).toEqual({ outcome: "reference-taken" });
    expect(await give(other, { reference: "T-taken" })).toMatchObject({ outcome: "given", isNew: true });
  });

  test("C7 the limit of a member counts 365 days and the limit of a day 24 hours, whoever asks at once", async () => {
    const member = await newMember();
    const results = await Promise.all(Array.from({ length: 10 }, () => give(member, { amountPence: 450 })));
    expect(results.filter(({ outcome }) => outcome === "given")).toHaveLength(4);
    expect(results.find(({ outcome }) => outcome !== "given")).toEqual({
      ...{ outcome: "over-limit", limit: "member", leftPence: 200 },
    });
    expect(await payable(member.memberId)).toBe(1_800);
    const year = { now: hoursLater(365 * 24) };
    expect(await give(member, { amountPence: 2_000, ...year })).toMatchObject({ outcome: "given" });

    // The day's limit is of all members together.
    const day = { limits: { dayPence: 3_000, memberPence: 2_000 }, now: hoursLater(10_000) };
    const [one, two] = [await newMember(), await newMember()];
    expect(await give(one, { amountPence: 2_000, ...day })).toMatchObject({ outcome: "given" });
    expect(await give(two, { amountPence: 1_001, ...day })).toEqual({
      outcome: "over-limit",
      limit: "day",
      leftPence: 1_000,
    });
    expect(await give(two, { amountPence: 1_001, ...day, now: hoursLater(10_024) })).toMatchObject({
      outcome: "given",
    });
  });

  test("C7 a credit is taken back once, below zero if need be, and frees what it took of the limits", async () => {
    const member = await newMember();
    await give(member, { reference: "T-back", amountPence: 2_000 });
    const back = () =>
      reverseGoodwill(db, {
        brandId: member.brandId,
        reference: "T-back",
        note: "a mistake",
        by: "op",
        now: hoursLater(1),
      });
    const reversed = await Promise.all(Array.from({ length: 5 }, back));
    expect(reversed.filter((one) => one.outcome === "reversed" && one.isNew)).toHaveLength(1);
    expect(await payable(member.memberId)).toBe(0);
    expect((await mailsTo(member.memberId)).map(({ isReversed }) => isReversed)).toEqual([false, true]);
    expect(await give(member, { reference: "T-back", amountPence: 2_000 })).toEqual({ outcome: "reference-taken" });
    expect(await give(member, { amountPence: 2_000, now: hoursLater(2) })).toMatchObject({ outcome: "given" });
    const none = { brandId: member.brandId, reference: "T-none", note: "none", by: "op", now: start };
    expect(await reverseGoodwill(db, none)).toEqual({ outcome: "no-such-credit" });
  });

  test("C7 a member who has left is not credited; one who is not verified or is suspended gets no mail", async () => {
    const { brandId, memberId } = await newMember();
    await sql`update members set closed_at = ${start} where id = ${memberId}`.execute(db);
    expect(await give({ brandId, memberId })).toEqual({ outcome: "no-such-member" });
    const { id: unverified } = await insertMember(db, { brandId });
    const { id: suspended } = await insertVerifiedMember(db, { brandId, suspendedAt: start });
    for (const id of [unverified, suspended]) {
      expect(await give({ brandId, memberId: id })).toMatchObject({ outcome: "given" });
      expect(await mailsTo(id)).toEqual([]);
    }
    const stranger = await newMember();
    expect(await give({ brandId, memberId: stranger.memberId })).toEqual({ outcome: "no-such-member" });
  });

  test("C7 rows about a member can be written while a credit waits for the member's claim", async () => {
    const club = await makeClaimClub(db);
    const claim = await madeClaim(db, club);
    const decision = { state: "declined", reason: "other", note: "closed down" } as const;
    await decideClaim(db, { publicId: claim, decision, by: "op", now: OPEN });
    // As whoever writes a mail about the claim: the claim first, then a row that refers to the member.
    const other = await db.startTransaction().execute();
    await sql`select from claims where public_id = ${claim} for update`.execute(other);
    const giving = give(club, { claimPublicId: claim, now: OPEN });
    await untilWaiting(db);
    await sql`select from members where id = ${club.memberId} for key share`.execute(other);
    await other.commit().execute();
    expect(await giving).toMatchObject({ outcome: "given" });
  });

  test("C7 a declined claim ends by goodwill, and is declined again when that is taken back", async () => {
    const club = await makeClaimClub(db);
    await sql`update members set email_verified = true where id = ${club.memberId}`.execute(db);
    const claim = await madeClaim(db, club);
    const settle = { reference: "T-claim", claimPublicId: claim, now: OPEN };
    expect(await give(club, settle)).toEqual({ outcome: "claim-not-declined", state: "open" });
    const decision = { state: "declined", reason: "other", note: "closed down" } as const;
    await decideClaim(db, { publicId: claim, decision, by: "op", now: OPEN });
    const stranger = { brandId: club.brandId, memberId: (await insertVerifiedMember(db, club)).id };
    expect(await give(stranger, { ...settle, reference: "T-stranger" })).toEqual({ outcome: "no-such-claim" });
    expect(await give(club, settle)).toMatchObject({ outcome: "given", isNew: true });
    expect(await claimRow(db, claim)).toMatchObject({ state: "goodwill" });
    // From a page that was opened before.
    expect(await decideClaim(db, { publicId: claim, decision, by: "op", now: OPEN })).toEqual({
      outcome: "not-now",
      state: "goodwill",
    });
    expect(await give(club, settle)).toMatchObject({ outcome: "given", isNew: false });
    expect(await give(club, { ...settle, reference: "T-again" })).toEqual({
      outcome: "claim-not-declined",
      state: "goodwill",
    });
    // The mail about the credit names the claim; the claim's own is not sent beside it.
    const { rows } = await sql`select from claim_changes change join claims on claims.id = change.claim_id
      where claims.public_id = ${claim} and change.state = 'goodwill' and is_to_tell`.execute(db);
    expect(rows).toEqual([]);
    expect(await mailsTo(club.memberId)).toMatchObject([{ claim }]);
    await reverseGoodwill(db, {
      brandId: club.brandId,
      reference: "T-claim",
      note: "it was paid",
      by: "op",
      now: OPEN,
    });
    expect(await claimRow(db, claim)).toMatchObject({ state: "declined" });
    expect(await give(club, { ...settle, reference: "T-settled-again" })).toMatchObject({
      outcome: "given",
      isNew: true,
    });
  });

  test("C3 the member reads it: on the page, newest first, and in the CSV with its words", async () => {
    const member = await newMember();
    await give(member, { reference: "T-first", amountPence: 450, reason: "our_mistake" });
    await give(member, { reference: "T-second", amountPence: 100, reason: "thank_you", now: hoursLater(48) });
    await reverseGoodwill(db, {
      ...{ brandId: member.brandId, reference: "T-first", note: "a mistake", by: "op", now: hoursLater(72) },
    });
    const shown = await findGoodwill(db, { memberId: member.memberId, max: 5 });
    expect(shown.map(({ amountPence, state }) => [amountPence, state])).toEqual([
      [100, "given"],
      [450, "reversed"],
    ]);
    let csv = "";
    for await (const part of creditsCsv(db, { memberId: member.memberId })) csv += new TextDecoder().decode(part);
    expect(csv.split("\r\n")).toEqual([
      ",,Credit from us,Yours,,,1.00,A thank-you from us,,,2026-11-22,,",
      ",,Credit from us,Taken back,,,4.50,We made a mistake,,,2026-11-20,,2026-11-23",
      "",
    ]);
  });

  test("C7 the database refuses another amount, a deletion, and a second way back", async () => {
    const member = await newMember();
    const given = await give(member);
    const publicId = given.outcome === "given" ? given.publicId : "";
    for (const change of [
      sql`update goodwill_credits set amount_pence = 1 where public_id = ${publicId}`,
      sql`update goodwill_credits set note = 'other' where public_id = ${publicId}`,
      sql`delete from goodwill_credits where public_id = ${publicId}`,
      sql`update goodwill_credits set state = 'reversed', reversed_at = now(), reversed_by = 'x', reversal_note = 'why' where public_id = ${publicId}`,
    ])
      await expect(change.execute(db)).rejects.toThrow(/keeps what was given|is never|by one version|refuse|cannot/);
  });

  test("C4 the check finds a credit whose posting is missing", async () => {
    const member = await newMember();
    await give(member);
    const trial = db.transaction().execute(async (trx) => {
      await sql`update goodwill_credits set state = 'reversed', version = 2, reversed_at = now(), reversed_by = 'x', reversal_note = 'why'
        where member_id = ${member.memberId}`.execute(trx);
      expect(await checkGoodwill(trx)).toEqual([
        expect.stringContaining("should have 0 pence in club_goodwill, and has -500"),
        expect.stringContaining("should have 0 pence in member_payable, and has 500"),
      ]);
      throw new Error("undone");
    });
    await expect(trial).rejects.toThrow("undone");
  });
});

type Command =
  | { kind: "give"; member: 0 | 1; reference: number; amountPence: number }
  | { kind: "reverse"; reference: number }
  | { kind: "wait"; hours: number };

const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    kind: fc.constant("give" as const),
    member: fc.constantFrom(0 as const, 1 as const),
    reference: fc.integer({ min: 0, max: 5 }),
    amountPence: fc.constantFrom(300, 700, 1_500),
  }),
  fc.record({ kind: fc.constant("reverse" as const), reference: fc.integer({ min: 0, max: 5 }) }),
  fc.record({ kind: fc.constant("wait" as const), hours: fc.constantFrom(6, 25, 24 * 400) }),
);

test("C7 C4 any order of credits, repetitions and reversals agrees with a simple model, to the penny", async () => {
  let club = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(commands, { minLength: 4, maxLength: 14 }), async (wanted) => {
      // Each case has years of its own, so that no other case counts in its day.
      club += 1;
      let now = hoursLater(club * 1_000_000);
      const { id: brandId } = await insertBrand(db);
      const members = [
        (await insertVerifiedMember(db, { brandId })).id,
        (await insertVerifiedMember(db, { brandId })).id,
      ];
      const small = { dayPence: 2_200, memberPence: 1_800 };
      const known = new Map<number, { member: number; amountPence: number; at: Date; isReversed: boolean }>();
      const sum = (since: number, member?: number) =>
        [...known.values()]
          .filter((one) => !one.isReversed && now.getTime() - one.at.getTime() < since * HOUR_MS)
          .filter((one) => member === undefined || one.member === member)
          .reduce((total, { amountPence }) => total + amountPence, 0);
      for (const command of wanted) {
        if (command.kind === "wait") now = new Date(now.getTime() + command.hours * HOUR_MS);
        else if (command.kind === "reverse") {
          const before = known.get(command.reference);
          const done = await reverseGoodwill(db, {
            ...{ brandId, reference: `M-${command.reference}`, note: "the model", by: "op", now },
          });
          expect(done).toMatchObject(
            before ? { outcome: "reversed", isNew: !before.isReversed } : { outcome: "no-such-credit" },
          );
          if (before) before.isReversed = true;
        } else {
          const { member, reference, amountPence } = command;
          const before = known.get(reference);
          const isSame = before && !before.isReversed && before.member === member && before.amountPence === amountPence;
          const fits =
            amountPence + sum(365 * 24, member) <= small.memberPence && amountPence + sum(24) <= small.dayPence;
          const memberId = members[member] ?? "";
          const done = await give(
            { brandId, memberId },
            { reference: `M-${reference}`, amountPence, limits: small, now },
          );
          if (before)
            expect(done).toMatchObject(isSame ? { outcome: "given", isNew: false } : { outcome: "reference-taken" });
          else expect(done).toMatchObject(fits ? { outcome: "given", isNew: true } : { outcome: "over-limit" });
          if (!before && fits) known.set(reference, { member, amountPence, at: now, isReversed: false });
        }
        for (const [index, memberId] of members.entries())
          expect(await payable(memberId)).toBe(
            [...known.values()]
              .filter((one) => one.member === index && !one.isReversed)
              .reduce((total, one) => total + one.amountPence, 0),
          );
      }
    }),
    { numRuns: 25 },
  );
});
