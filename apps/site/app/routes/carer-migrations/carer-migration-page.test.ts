import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, tag, textOf, type TestClub } from "../../../testing/site.testing.ts";
import type { SignedInMember } from "../../../server/visit.ts";

const { db } = await testDatabase();
loadSite();

let retired: { id: string; member_type_id: string };
beforeAll(async () => {
  await seedMemberTypes(db);
  retired = await db
    .selectFrom("member_statuses")
    .select(["id", "member_type_id"])
    .where("slug", "=", "retired")
    .executeTakeFirstOrThrow();
});

async function open(): Promise<{ club: TestClub; member: SignedInMember }> {
  const club = await openClub(db);
  club.brand.features = { ...club.brand.features, carerMigration: true };
  const { id: to_brand_id } = await insertBrand(db);
  await db
    .insertInto("carer_migration_rules")
    .values({
      id: newId(),
      brand_id: club.brand.id,
      member_status_id: retired.id,
      to_brand_id,
      to_member_type_id: retired.member_type_id,
    })
    .execute();
  const member = await club.newMember();
  await db
    .updateTable("members")
    .set({ member_status_id: retired.id, member_type_id: retired.member_type_id })
    .where("id", "=", member.id)
    .execute();
  return { club, member };
}

const asks = async (club: TestClub, member: SignedInMember | null, path = "/profile") =>
  (await (await club.get(path, { member })).text()).includes("carer-popup");

describe("M7 the popup", () => {
  test("M7 it is on two pages of members whom it concerns, beside the page, with the tracking name on Agree", async () => {
    const { club, member } = await open();
    expect(await asks(club, member)).toBe(true);
    expect(await asks(club, member, "/")).toBe(true);
    expect(await asks(club, member, "/favourites")).toBe(false);
    expect(await asks(club, await club.newMember())).toBe(false);
    expect(await asks(club, null, "/")).toBe(false);
    const html = await (await club.get("/profile", { member })).text();
    expect(tag(html, "button", 'value="agree"')).toContain('data-tracking="migration__agree_to_migrate"');
    expect(html).not.toMatch(/<dialog[^>]*carer/);
    club.brand.features = { ...club.brand.features, carerMigration: false };
    expect(await asks(club, member)).toBe(false);
  });

  test.each([
    ["/profile", "/profile"],
    ["https://evil.example/", "/profile"],
    ["//evil.example", "/profile"],
  ])("M7 not now is recorded and leads back (next=%s)", async (next, location) => {
    const { club, member } = await open();
    const response = await club.post("/carer-migration", { answer: "later", next }, { member });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(location);
    expect(await asks(club, member)).toBe(false);
  });

  test("M7 agreeing leads to a page that says what comes next", async () => {
    const { club, member } = await open();
    const response = await club.post("/carer-migration", { answer: "agree" }, { member });
    expect(response.headers.get("Location")).toBe("/carer-migration");
    expect(textOf(await (await club.get("/carer-migration", { member })).text())).toContain("Look in your mailbox");
    expect(await asks(club, member)).toBe(false);
  });

  test("S1 members whom it does not concern cannot agree; visitors log in; an invented link has expired", async () => {
    const { club } = await open();
    const other = await club.newMember();
    expect((await club.post("/carer-migration", { answer: "agree" }, { member: other })).status).toBe(404);
    expect((await club.get("/carer-migration", { member: other })).status).toBe(404);
    expect((await club.post("/carer-migration", { answer: "agree" })).headers.get("Location")).toContain("/login");
    expect((await club.post("/carer-migration/confirm", { token: "made-up" })).status).toBe(410);
    const page = await club.get("/carer-migration/confirm?token=made-up");
    expect(page.headers.get("Referrer-Policy")).toBe("no-referrer");
    expect(textOf(await page.text())).toContain("This link is over");
  });
});
