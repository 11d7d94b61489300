import { consentWording } from "../registration/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { daysFromNow, NOW } from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertMember } from "../testing/insert-member.testing.ts";
import { isAskedNow } from "./rules.ts";
import { findCarerMove, moveCarer } from "./move-carer.server.ts";
import { agreeToCarerMigration, findCarerMigration, putOffCarerMigration } from "./operations.server.ts";
import { seedMemberTypes } from "../member-types/reference-data/seed-member-types.server.ts";

const { db } = await testDatabase();
let here: { id: string };
let carers: { id: string; slug: string };
let retired: { id: string; member_type_id: string };

beforeAll(async () => {
  await seedMemberTypes(db);
  here = await insertBrand(db);
  carers = await insertBrand(db);
  retired = await db
    .selectFrom("member_statuses")
    .innerJoin("member_types", "member_types.id", "member_type_id")
    .select(["member_statuses.id", "member_type_id"])
    .where("member_types.slug", "=", "education")
    .where("member_statuses.slug", "=", "retired")
    .executeTakeFirstOrThrow();
  const { id: toType } = await db
    .selectFrom("member_types")
    .select("id")
    .where("slug", "=", "unpaid_carer")
    .executeTakeFirstOrThrow();
  await db
    .insertInto("carer_migration_rules")
    .values({
      id: newId(),
      brand_id: here.id,
      member_status_id: retired.id,
      to_brand_id: carers.id,
      to_member_type_id: toType,
    })
    .execute();
});

async function newMember(isRetired = true) {
  const { id: memberId } = await insertMember(db, { brandId: here.id });
  if (isRetired)
    await db
      .updateTable("members")
      .set({ member_type_id: retired.member_type_id, member_status_id: retired.id, date_of_birth: "1960-03-01" })
      .where("id", "=", memberId)
      .execute();
  await db
    .insertInto("member_credentials")
    .values({
      id: newId(),
      brand_id: here.id,
      member_id: memberId,
      account_id: memberId,
      provider_id: "credential",
      password: "the hash",
    })
    .execute();
  const { email } = await db.selectFrom("members").select("email").where("id", "=", memberId).executeTakeFirstOrThrow();
  return { memberId, brandId: here.id, email };
}

const tokenFor = async (email: string) => {
  const rows = await db
    .selectFrom("mails")
    .select(["brand_id", "data"])
    .where("recipient", "=", email)
    .orderBy("created_at", "desc")
    .execute();
  const [last] = rows;
  if (!last) throw new Error("No mail was sent to this address");
  expect(last.brand_id).toBe(carers.id);
  return { token: String((last.data as { path: string }).path.split("token=")[1]), mails: rows.length };
};

const follow = (link: { token: string; brandId?: string; now?: Date }) =>
  moveCarer(db, { brandId: carers.id, brandName: "Carers", now: NOW, ...link });

describe("M7 asking", () => {
  test("M7 asks at most three times, not while it is postponed, and never after agreement", () => {
    expect(isAskedNow(null, NOW)).toBe(true);
    const later = { state: "later", timesPutOff: 1, askAgainAt: daysFromNow(30) } as const;
    expect(isAskedNow(later, daysFromNow(29))).toBe(false);
    expect(isAskedNow(later, daysFromNow(30))).toBe(true);
    expect(isAskedNow({ ...later, timesPutOff: 3 }, daysFromNow(300))).toBe(false);
    expect(isAskedNow({ state: "agreed", timesPutOff: 0, askAgainAt: null }, NOW)).toBe(false);
  });

  test("M7 asks members whom a rule names, in its brand, and no others", async () => {
    const now = NOW;
    expect(await findCarerMigration(db, { ...(await newMember()), now })).toMatchObject({
      isAskedNow: true,
      state: null,
    });
    expect(await findCarerMigration(db, { ...(await newMember(false)), now })).toBeNull();
    const { memberId } = await newMember();
    expect(await findCarerMigration(db, { memberId, brandId: carers.id, now })).toBeNull();
  });

  test("M7 postponing is recorded once, and the question returns 30 days later", async () => {
    const who = await newMember();
    await Promise.all([1, 2, 3].map(() => putOffCarerMigration(db, { ...who, now: NOW })));
    const isAsked = async (day: number) =>
      (await findCarerMigration(db, { ...who, now: daysFromNow(day) }))?.isAskedNow;
    expect({ today: await isAsked(0), after29: await isAsked(29), after30: await isAsked(30) }).toEqual({
      today: false,
      after29: false,
      after30: true,
    });
    const row = await db
      .selectFrom("carer_migrations")
      .select(["state", "times_put_off"])
      .where("member_id", "=", who.memberId)
      .executeTakeFirstOrThrow();
    expect(row).toEqual({ state: "later", times_put_off: 1 });
  });
});

describe("M7 agreeing", () => {
  test("M7 agreeing records the words and mails one link; no data is passed on before it is followed", async () => {
    const who = await newMember();
    await Promise.all([1, 2, 3].map(() => agreeToCarerMigration(db, { ...who, now: NOW })));
    expect((await tokenFor(who.email)).mails).toBe(1);
    const row = await db
      .selectFrom("carer_migrations")
      .select(["state", "consent", "agreed_at"])
      .where("member_id", "=", who.memberId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ state: "agreed", agreed_at: NOW });
    expect(row.consent).toContain("may pass my name, e-mail address, date of birth and password");
    expect(
      await db
        .selectFrom("members")
        .select("id")
        .where("brand_id", "=", carers.id)
        .where("email", "=", who.email)
        .execute(),
    ).toEqual([]);
  });

  test("M7 the link creates the new account once and leaves the old one unchanged", async () => {
    const who = await newMember();
    await agreeToCarerMigration(db, { ...who, now: NOW });
    const { token } = await tokenFor(who.email);
    expect(await findCarerMove(db, { brandId: carers.id, token, now: NOW })).not.toBeNull();
    const outcomes = await Promise.all([1, 2, 3].map(() => follow({ token })));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(["moved", "over", "over"]);
    const accounts = await db
      .selectFrom("members")
      .innerJoin("member_credentials", "member_credentials.member_id", "members.id")
      .select(["members.id", "email_verified", "verification", "date_of_birth", "password"])
      .where("members.brand_id", "=", carers.id)
      .where("email", "=", who.email)
      .execute();
    expect(accounts).toMatchObject([
      { email_verified: true, verification: "unverified", date_of_birth: "1960-03-01", password: "the hash" },
    ]);
    const agreed = await db
      .selectFrom("member_consents")
      .select(["kind", "wording", "given_at"])
      .where("member_id", "=", accounts[0]!.id)
      .execute();
    expect(agreed, "as everybody who joins").toEqual([
      { kind: "terms", wording: consentWording("terms", "Carers"), given_at: NOW },
    ]);
    expect(await agreeToCarerMigration(db, { ...who, now: daysFromNow(1) })).toEqual({ outcome: "moved" });
  });

  test("S1 B4 a link of another brand, older than seven days, or invented is refused", async () => {
    const who = await newMember();
    await agreeToCarerMigration(db, { ...who, now: NOW });
    const { token } = await tokenFor(who.email);
    for (const attempt of [
      { brandId: here.id, token, now: NOW },
      { brandId: carers.id, token, now: daysFromNow(7) },
      { brandId: carers.id, token: "made-up", now: NOW },
    ]) {
      expect(await findCarerMove(db, attempt)).toBeNull();
      expect(await follow(attempt)).toEqual({ outcome: "over" });
    }
  });

  test("M7 an account that is made while the link is followed is not changed, and the move is over", async () => {
    const who = await newMember();
    await agreeToCarerMigration(db, { ...who, now: NOW });
    const { token } = await tokenFor(who.email);
    const { id } = await insertMember(db, { brandId: carers.id });
    const other = await db.startTransaction().execute();
    await other.updateTable("members").set({ email: who.email }).where("id", "=", id).execute();
    const moving = follow({ token });
    await untilWaiting(db);
    await other.commit().execute();
    expect(await moving).toEqual({ outcome: "has-account" });
    expect(await follow({ token })).toEqual({ outcome: "over" });
  });

  test("M7 S1 an address that was just removed from an account there makes none, and the link stays for later", async () => {
    const who = await newMember();
    const { id } = await insertMember(db, { brandId: carers.id });
    await agreeToCarerMigration(db, { ...who, now: NOW });
    const { token } = await tokenFor(who.email);
    const until = daysFromNow(3);
    await db
      .insertInto("member_tokens")
      .values({
        ...{ id: newId(), brand_id: carers.id, member_id: id, purpose: "undo-email-change", email: who.email },
        ...{ token_hash: newId(), created_at: NOW, expires_at: until },
      })
      .execute();
    expect(await follow({ token })).toEqual({ outcome: "held", until });
    expect(await follow({ token, now: daysFromNow(4) })).toEqual({ outcome: "moved" });
  });

  test("M7 an existing account is not changed", async () => {
    const who = await newMember();
    const { id } = await insertMember(db, { brandId: carers.id });
    await db.updateTable("members").set({ email: who.email, name: "Somebody" }).where("id", "=", id).execute();
    await agreeToCarerMigration(db, { ...who, now: NOW });
    const { token } = await tokenFor(who.email);
    expect(await follow({ token })).toEqual({ outcome: "has-account" });
    expect(await db.selectFrom("members").select("name").where("id", "=", id).executeTakeFirstOrThrow()).toEqual({
      name: "Somebody",
    });
  });
});
