import { findBrandBySlug } from "@farthing/core/brands/queries.server.ts";
import { findMemberTypes, findTypeQuestions } from "@farthing/core/member-types/queries.server.ts";
import { detailsAsTyped, findOwnDetails } from "@farthing/core/registration/own-details.server.ts";
import { readDetails } from "@farthing/core/registration/read-registration.ts";
import { KEY } from "@farthing/core/verification-requests/verification.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { visitOf } from "../sign-in/accounts.testing.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { openAccounts } from "../sign-in/accounts.ts";
import { DEMO_PASSWORD, seedMembers } from "./seed-members.ts";
import { seedReference } from "./seed-reference.ts";
import { seedVerification } from "./seed-verification.ts";

const { db } = await testDatabase();

test("Z3 each brand gets a verified and an unverified demo account once, and both can log in", async () => {
  await seedReference(db);
  expect(await seedMembers(db)).toBe(16);
  expect(await seedMembers(db)).toBe(0);

  const accounts = await db
    .selectFrom("members")
    .innerJoin("brands", "brands.id", "members.brand_id")
    .select([
      "brands.slug",
      "members.email",
      "members.verification",
      "members.member_type_id",
      "members.member_status_id",
    ])
    .orderBy("members.email")
    .execute();
  for (const { slug, email, verification, member_type_id, member_status_id } of accounts) {
    expect([`member@${slug}.example verified`, `new@${slug}.example unverified`]).toContain(`${email} ${verification}`);
    expect(member_type_id).not.toBeNull();
    expect(member_status_id).not.toBeNull();
  }

  const brand = await insertBrand(db, { slug: "ninth" });
  expect(await seedMembers(db), "a brand made later gets its own").toBe(2);
  const open = openAccounts({ db, key: "key-of-the-test", secretKeys: ["k"], publicScheme: "http" });
  const request = new Request("http://ninth.test/login", { method: "POST" });
  for (const email of ["member@ninth.example", "new@ninth.example"]) {
    expect((await open.logIn(visitOf(brand), request, { email, password: DEMO_PASSWORD })).outcome).toBe("logged-in");
  }
});

test("Z3 M5 the details of demo members are whole: they can be saved as they are", async () => {
  const now = new Date("2026-11-20T12:00:00Z");
  await seedVerification(db, { key: KEY, now });
  const members = await db
    .selectFrom("members")
    .innerJoin("brands", "brands.id", "members.brand_id")
    .select(["members.id as memberId", "members.brand_id as brandId", "brands.slug"])
    .where("members.email", "not like", "new@%")
    .where("brands.slug", "!=", "ninth") // without member types
    .execute();
  expect(members).toHaveLength(8 + 11);
  for (const { memberId, brandId, slug } of members) {
    const brand = await findBrandBySlug(db, slug);
    const own = await findOwnDetails(db, { brandId, memberId });
    const type = (await findMemberTypes(db, brandId)).find(({ id }) => id === own?.typeId);
    const status = type?.statuses.find(({ id }) => id === own?.statusId);
    if (!brand || !own || !type || !status) throw new Error(slug);
    const form = new FormData();
    for (const [name, value] of Object.entries(detailsAsTyped(own))) form.set(name, value);
    const questions = await findTypeQuestions(db, type);
    expect(readDetails(form, { brand, status, questions, now, member: own }).errors, slug).toBeNull();
  }
});
