import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { openArchive } from "@farthing/core/personal-data/archive.testing.ts";
import { exportArchive } from "@farthing/core/personal-data/export-archive.server.ts";
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

async function open(to?: TestClub): Promise<{ club: TestClub; member: SignedInMember }> {
  const club = await openClub(db);
  club.brand.features = { ...club.brand.features, carerMigration: true };
  const to_brand_id = to?.brand.id ?? (await insertBrand(db)).id;
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

  test("M7 M3 the other club's account is made once its terms are agreed to, and the data of both says where it came from", async () => {
    const carers = await openClub(db);
    const { club, member } = await open(carers);
    await club.post("/carer-migration", { answer: "agree" }, { member });
    const { data } = await db
      .selectFrom("mails")
      .select("data")
      .where("kind", "=", "carer-move")
      .where("member_id", "=", member.id)
      .executeTakeFirstOrThrow();
    const { path } = data as { path: string };
    const token = path.split("token=")[1]!;
    const page = await (await carers.get(path)).text();
    expect(tag(page, "input", 'name="terms"')).toContain("required");
    expect(page).toContain('href="/legal/terms"');
    const without = await carers.post("/carer-migration/confirm", { token });
    expect(without.status).toBe(400);
    const again = await without.text();
    expect(textOf(again)).toContain("Terms ** This is a required field");
    expect(tag(again, "input", 'name="token"'), "the link is not lost").toContain(`value="${token}"`);
    const moved = await carers.post("/carer-migration/confirm", { token, terms: "on" });
    expect(textOf(await moved.text())).toContain("Your account is ready");
    const { new_member_id: id } = await db
      .selectFrom("carer_migrations")
      .select("new_member_id")
      .where("member_id", "=", member.id)
      .executeTakeFirstOrThrow();
    const archiveOf = async ({ brand }: TestClub, memberId: string) => {
      const owner = { brand, memberId, memberName: "Ada", attachmentKey: null, now: club.services.now() };
      const parts: Uint8Array[] = [];
      for await (const part of exportArchive(db, owner)) parts.push(part);
      const files = openArchive(Buffer.concat(parts));
      return (name: string) => JSON.parse(files[`json/${name}.json`]!) as unknown;
    };
    const theirs = await archiveOf(carers, id!);
    expect(theirs("moves-to-another-club")).toMatchObject([{ state: "moved", came_from: club.brand.slug }]);
    expect(theirs("consents")).toMatchObject([{ kind: "terms" }]);
    const before = await archiveOf(club, member.id);
    expect(before("moves-to-another-club")).toMatchObject([{ state: "moved", came_from: null }]);
    expect(before("e-mails-sent")).toMatchObject([{ kind: "carer-move" }]);
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
