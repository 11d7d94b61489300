import { makeClub } from "@farthing/core/cashback/cashback.testing.ts";
import { markOfBrowser, markOfMailbox, rememberMarks } from "@farthing/core/invitations/marks.server.ts";
import {
  bonusesOf,
  invite,
  inviteAndWithdraw,
  JOINED,
  keys,
  LATER,
  report,
  secret,
  work,
} from "@farthing/core/referrals/referrals.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { commandEntries } from "./command-entries.testing.ts";
import { REFERRAL_USAGE, runReferralAction } from "./referral-actions.ts";

const { db } = await testDatabase();
// Each action a second after the one before.
let time = LATER.getTime();
const parts = { db, keys, by: "operator", now: () => new Date((time += 1_000)) };
const run = async (line: string) => (await runReferralAction(parts, line.split(" "))).join("\n");
const refused = (line: string) => expect(run(line)).rejects;

let club: Awaited<ReturnType<typeof makeClub>>;
let slug: string;
beforeAll(async () => {
  club = await makeClub(db);
  ({ slug } = await db.selectFrom("brands").select("slug").where("id", "=", club.brandId).executeTakeFirstOrThrow());
});

/** Holds a referral by the command. Returns its public id and the hold's. */
async function holdByHand(referralId: string | undefined) {
  const { public_id: publicId } = await db
    .selectFrom("referrals")
    .select("public_id")
    .where("id", "=", referralId ?? "")
    .executeTakeFirstOrThrow();
  await run(`hold ${publicId}`);
  const [, hold] = /hold (\S+)/.exec(await run(`show ${publicId}`)) ?? [];
  return { publicId, hold };
}

describe("C8 npm run referrals", () => {
  test("C8 starts, shows and ends a programme, with the terms that members read", async () => {
    expect(await run("rules")).toBe("No brand has had a programme.");
    expect(await run(`start ${slug} 5 7.50 1.20 60 12 2027-03-31`)).toContain("at least £1.20 of cashback");
    const rules = await run(`rules ${slug}`);
    for (const text of [
      "on  from 2026-11-23 until 2027-03-31  by operator",
      "friend £5.00, inviter £7.50",
      "within 60 days",
    ])
      expect(rules).toContain(text);
    expect(await run(`start ${slug} 4 0 1 30 3`)).toContain("is on");
    expect((await run(`rules ${slug}`)).match(/ {2}on {2}/g)).toHaveLength(1);
    expect(await run(`end ${slug}`)).toContain("Ended");
    await refused(`end ${slug}`).toThrow("has no programme on");
  });

  test("A1 C8 a programme that starts, and the one that it ends, are in the log with who typed it", async () => {
    const { brandId } = await makeClub(db, { networkSlug: "programmes-logged" });
    const brand = await db.selectFrom("brands").select("slug").where("id", "=", brandId).executeTakeFirstOrThrow();
    const typed = (line: string) => runReferralAction({ ...parts, by: "oscar" }, line.split(" "));
    const programme = async (line: string) => /Programme (\S+)/.exec((await typed(line)).join("\n"))?.[1];
    const first = await programme(`start ${brand.slug} 5 7.50 1.20 60 12`);
    const second = await programme(`start ${brand.slug} 4 0 1 30 3`);
    await typed(`end ${brand.slug}`);
    await expect(typed(`end ${brand.slug}`)).rejects.toThrow("has no programme on");
    expect(await commandEntries(db, "oscar")).toEqual([
      `referral-programme.start ${first}`,
      `referral-programme.end ${first}`,
      `referral-programme.start ${second}`,
      `referral-programme.end ${second}`,
    ]);
    const entry = await db
      .selectFrom("audit_entries")
      .select(["before", "after"])
      .where("subject_id", "=", second ?? "")
      .orderBy("seq", "desc")
      .executeTakeFirstOrThrow();
    expect(entry.before).toMatchObject({ brand: brand.slug, friend_pence: 400, ends_at: null, ended_by: null });
    expect(entry.after).toMatchObject({ ended_by: "oscar" });
  });

  test.each([
    ["", REFERRAL_USAGE],
    ["list everything", REFERRAL_USAGE],
    ["lift hold", REFERRAL_USAGE],
    ["constructor", REFERRAL_USAGE],
    ["lift nothing because so", "There is no hold nothing in force"],
    ["refuse nothing no", "Say why, in 3 to 500 characters."],
    ["hold nothing", "There is no referral nothing"],
    ["show nothing", "There is no referral nothing, and none of a member nothing."],
    ["start nowhere 5 5 1 30 3", "There is no brand nowhere."],
    ["end nowhere", "There is no brand nowhere."],
    ["start BRAND 0 0 1 30 3", "One of the two gets a bonus."],
    ["start BRAND five 5 1 30 3", "five is not an amount between £0.00 and £1,000.00."],
    ["start BRAND 5 1000.01 1 30 3", "1000.01 is not an amount"],
    ["start BRAND 5 5 0 30 3", "0 is not an amount between £0.01"],
    ["start BRAND 5 5 1 6 3", "6 is not a number from 7 to 365."],
    ["start BRAND 5 5 1 30 0", "0 is not a number from 1 to 1000."],
    ["start BRAND 5 5 1 30 3 2020-01-01", "is not a date to come"],
    ["start BRAND 5 5 1 30 3 tomorrow", "is not a date to come"],
  ])("C8 %j is refused with what to do", async (line, message) => {
    await refused(line.replace("BRAND", slug)).toThrow(message);
  });

  test("C8 lists what is held with the reason, lifts it once, and keeps who and why", async () => {
    await run(`start ${slug} 5 7 1 90 9`);
    expect(await run("list")).toBe("No referral is held.");
    const browser = markOfBrowser("one browser", secret);
    await rememberMarks(db, {
      ...club,
      marks: { browser, mailbox: markOfMailbox("a@b.example", secret) },
      now: JOINED,
    });
    const held = await invite(db, club, { browserMark: browser });
    await report(db, held.friend, { status: "approved", paidToPublisher: true });
    await work(db);
    const listed = await run("list");
    for (const text of ["the same browser was used", "friend: £5.00 held", "inviter: £7.00 held", "by rules"])
      expect(listed).toContain(text);
    const [, hold] = /hold (\S+)/.exec(listed) ?? [];
    expect(await run(`lift ${hold} They live together`)).toContain("Lifted");
    expect(await bonusesOf(db, held.referralId)).toEqual({ friend: "payable", inviter: "payable" });
    await refused(`lift ${hold} They live together`).toThrow("in force");
    expect(await run("list")).toBe("No referral is held.");
    const [, referral] = /^(\S+)/.exec(await run("list all")) ?? [];
    expect(await run(`show ${referral}`)).toContain("lifted by operator: They live together");
    expect(await run(`hold ${referral}`)).toContain("Held");
    const [, second] = /hold (\S+) .*by operator\n/.exec(await run("list")) ?? [];
    expect(await run(`refuse ${second} it was one person`)).toContain("Refused");
    expect(await bonusesOf(db, held.referralId)).toEqual({ friend: "ended", inviter: "ended" });
    const entries = await commandEntries(db, "operator");
    expect(
      entries.filter((entry) => entry.startsWith("referral.")),
      "A1",
    ).toEqual([`referral.lift ${referral}`, `referral.hold ${referral}`, `referral.refuse ${referral}`]);
  });

  test("C8 C6 a refusal says which bonus was withdrawn and is not taken back", async () => {
    await run(`start ${slug} 5 7 1 90 9`);
    const { referralId } = await inviteAndWithdraw(db, club);
    const { hold } = await holdByHand(referralId);
    expect(await run(`refuse ${hold} it was one person`)).toBe(
      "Refused: the friend’s bonus has ended; the inviter’s £7.00 was withdrawn and is not taken back.",
    );
    expect(await bonusesOf(db, referralId)).toEqual({ friend: "ended", inviter: "payable" });
  });

  test("A1 C8 the entry names the referral of a hold that 200 newer ones hide from the list", async () => {
    await run(`start ${slug} 5 7 1 90 9`);
    const { referralId } = await invite(db, club, { now: JOINED });
    const { publicId, hold } = await holdByHand(referralId);
    const newer = await Promise.all(
      Array.from({ length: 200 }, () => invite(db, club, { now: LATER, isVerified: false })),
    );
    await db
      .insertInto("referral_holds")
      .values(
        newer.map((each) => ({
          ...{
            id: newId(),
            referral_id: each.referralId ?? "",
            reasons: ["operator"],
            placed_at: LATER,
            placed_by: "op",
          },
        })),
      )
      .execute();
    expect(await run("list")).not.toContain(`hold ${hold}`);
    await run(`lift ${hold} They live together`);
    expect((await commandEntries(db, "operator")).at(-1)).toBe(`referral.lift ${publicId}`);
  });
});
