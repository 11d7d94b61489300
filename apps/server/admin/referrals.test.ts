import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { makeClub } from "@farthing/core/cashback/cashback.testing.ts";
import { findListPage } from "@farthing/core/lists/find-list-page.server.ts";
import { readListState } from "@farthing/core/lists/list-schema.ts";
import { holdReferral } from "@farthing/core/referrals/decide-hold.server.ts";
import {
  referralList,
  type OperatorReferral,
  type ReferralFilters,
} from "@farthing/core/referrals/list-referrals.server.ts";
import {
  bonusesOf,
  invite,
  inviteAndWithdraw,
  keys,
  LATER,
  start,
} from "@farthing/core/referrals/referrals.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();

const admin = openTestAdmin(db, { now: () => LATER, unsubscribeKeys: keys });
afterEach(() => expect(admin.errors).toEqual([]));

const finance = await insertOperator(db, { role: "finance", now: LATER });
const club = await makeClub(db);
await start(db, club.brandId);
const listed = async (filters: ReferralFilters) =>
  (
    await findListPage<OperatorReferral, "time">(
      db,
      referralList(filters),
      readListState(new URLSearchParams(), { sorts: ["time"], defaultSort: "time" }),
    )
  ).rows.map(({ publicId }) => publicId);

async function heldReferral() {
  const { referralId, friendId } = await invite(db, club);
  return { referralId, friendId, ...(await holdIt(referralId)) };
}

async function holdIt(referralId: string | undefined) {
  const { public_id: publicId } = await db
    .selectFrom("referrals")
    .select("public_id")
    .where("id", "=", referralId ?? "")
    .executeTakeFirstOrThrow();
  await holdReferral(db, { publicId, by: "a test", keys, now: LATER });
  const { public_id: hold } = await db
    .selectFrom("referral_holds")
    .select("public_id")
    .where("referral_id", "=", referralId ?? "")
    .executeTakeFirstOrThrow();
  return { publicId, hold, path: `/admin/referrals/${publicId}` };
}

describe("C8 held bonuses in the admin", () => {
  test("C8 a hold says why, and is lifted or refused after a question, with the reason on the hold and in the log", async () => {
    const lifted = await heldReferral();
    expect(await (await admin.get(lifted.path, finance)).text()).toContain("an operator asked for a check");
    const lift = { act: "lift", hold: lifted.hold };
    expect(await (await admin.post(lifted.path, finance, lift)).text()).toContain("Lift the hold?");
    expect((await admin.post(lifted.path, finance, { ...lift, confirmed: "yes", why: "ok" })).status).toBe(422);
    expect(await listed({})).toEqual([lifted.publicId]);
    const done = { ...lift, confirmed: "yes", why: "two people of one household" };
    expect(await (await admin.post(lifted.path, finance, done)).text()).toContain("Lifted");
    expect(await listed({})).toEqual([]);
    // A colleague's page of before decides nothing.
    expect((await admin.post(lifted.path, finance, { ...done, act: "refuse" })).status).toBe(409);

    const refused = await heldReferral();
    const refuse = { act: "refuse", hold: refused.hold, confirmed: "yes", why: "one person twice" };
    const foreign = await heldReferral();
    expect((await admin.post(refused.path, finance, { ...refuse, hold: foreign.hold })).status).toBe(409);
    expect(await listed({ q: foreign.publicId })).toHaveLength(1);
    await admin.post(foreign.path, finance, { act: "lift", hold: foreign.hold, confirmed: "yes", why: "a third one" });
    const answer = await (await admin.post(refused.path, finance, refuse)).text();
    expect(answer).toContain("Refused: the bonuses have ended.");
    expect(new Set(Object.values(await bonusesOf(db, refused.referralId)))).toEqual(new Set(["ended"]));
    const hold = await db
      .selectFrom("referral_holds")
      .selectAll()
      .where("public_id", "=", refused.hold)
      .executeTakeFirstOrThrow();
    expect(hold).toMatchObject({ decision: "refused", decided_by: finance.email, note: "one person twice" });
    // Its bonuses have ended: there is nothing left to hold.
    expect(await (await admin.get(refused.path, finance)).text()).not.toContain('value="hold"');
    const again = { act: "hold", hold: "", confirmed: "yes", why: "a letter of the bank" };
    expect((await admin.post(refused.path, finance, again)).status).toBe(409);
    const entries = await db.selectFrom("audit_entries").selectAll().orderBy("seq").execute();
    expect(entries).toMatchObject([
      { action: "referral.lift", subject_id: lifted.publicId, before: { open_holds: 1 }, after: { open_holds: 0 } },
      { action: "referral.lift", subject_id: foreign.publicId },
      { action: "referral.refuse", subject_id: refused.publicId, why: "one person twice" },
    ]);
  });

  test("C8 C6 a refusal says which bonus was withdrawn and is not taken back", async () => {
    const own = await makeClub(db, { networkSlug: "paid" });
    await start(db, own.brandId);
    const { referralId } = await inviteAndWithdraw(db, own);
    const { path, hold } = await holdIt(referralId);
    const refuse = { act: "refuse", hold, confirmed: "yes", why: "one person twice" };
    expect(await (await admin.post(path, finance, refuse)).text()).toContain(
      "Refused: the friend’s bonus has ended; the inviter’s £7.00 was withdrawn and is not taken back.",
    );
  });

  test("C8 a referral can be held by hand; it is found by its number and by those of both people", async () => {
    const { publicId, path, hold, friendId } = await heldReferral();
    await admin.post(path, finance, { act: "lift", hold, confirmed: "yes", why: "fine after all" });
    await admin.post(path, finance, { act: "hold", hold: "", confirmed: "yes", why: "a letter of the bank" });
    expect(await listed({})).toEqual([publicId]);
    const numberOf = async (id: string) =>
      (await db.selectFrom("members").select("member_number").where("id", "=", id).executeTakeFirstOrThrow())
        .member_number;
    expect(await listed({ q: publicId })).toEqual([publicId]);
    expect(await listed({ q: await numberOf(friendId) })).toEqual([publicId]);
    expect(await listed({ q: await numberOf(club.memberId) })).toContain(publicId);
    expect((await listed({ which: "all" })).length).toBeGreaterThan(1);
    const support = await insertOperator(db, { role: "support", now: LATER });
    expect((await admin.get(path, support)).status).toBe(403);
    expect((await admin.get("/admin/referrals/none", finance)).status).toBe(404);
  });

  test("A3 held and all referrals read an index", async () => {
    await db.transaction().execute(async (trx) => {
      await sql`set local enable_seqscan = off`.execute(trx);
      await sql`set local enable_sort = off`.execute(trx);
      const planOf = async (filters: ReferralFilters, from: string) => {
        const { where, sorts, id } = referralList(filters);
        const { rows } = await sql<{ "QUERY PLAN": string }>`explain select ${id.by} from ${sql.raw(from)}
          where ${where.length > 0 ? sql.join(where, sql` and `) : sql`true`} order by ${sorts.time.by}, ${id.by} limit 50`.execute(
          trx,
        );
        return rows.map((row) => row["QUERY PLAN"]).join("\n");
      };
      expect(await planOf({}, "referral_holds hold")).toContain("referral_holds_open_placed");
      expect(await planOf({ which: "all" }, "referrals referral")).toContain("referrals_registered");
    });
  });
});
