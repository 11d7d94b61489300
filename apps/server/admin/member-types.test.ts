import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findMemberTypes, findTypeQuestions } from "@farthing/core/member-types/queries.server.ts";
import { findMemberTypeRecord } from "@farthing/core/member-types/edit-member-types.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const owner = await insertOperator(db, { role: "owner" });
const catalogue = await insertOperator(db, { role: "catalogue" });
await seedMemberTypes(db);
const brand = await insertBrand(db, { slug: "one" });
const path = "/admin/member-types/education";
const record = async (slug = "education") => (await findMemberTypeRecord(db, { slug }))!;
await db
  .insertInto("brand_member_types")
  .values({ brand_id: brand.id, member_type_id: (await record()).id, position: 1 })
  .execute();
const offered = async () => (await findMemberTypes(db, brand.id))[0]!;
const questions = async () => findTypeQuestions(db, await offered());
const changes = () =>
  db.selectFrom("audit_entries").selectAll().where("action", "=", "member-type.change").orderBy("seq").execute();

/** The form of a part as the page shows it. */
async function formOf(part: string, at = path): Promise<Record<string, string>> {
  const html = await (await admin.get(at, owner)).text();
  const form = html.split("<form").find((each) => each.includes(`name="part" value="${part}"`)) ?? "";
  const fields: Record<string, string> = {};
  const text = (value = "") => value.replaceAll("&amp;", "&").replaceAll("&#x27;", "'").replaceAll("&quot;", '"');
  for (const [input = ""] of form.matchAll(/<input[^>]*>/g)) {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(input)?.[1];
    if (of("type") !== "checkbox" || / checked/.test(input)) fields[of("name") ?? ""] = text(of("value"));
  }
  for (const [, name = "", value] of form.matchAll(/<textarea[^>]*name="([^"]+)"[^>]*>([^<]*)/g))
    fields[name] = text(value);
  for (const [, name = "", options = ""] of form.matchAll(/<select[^>]*name="([^"]+)"[^>]*>([^]*?)<\/select>/g))
    fields[name] = text(/<option[^>]*selected=""[^>]*>([^<]*)/.exec(options)?.[1]);
  return fields;
}

describe("A2 M1 member types in the admin", () => {
  test("A2 a form that is sent as it was shown changes nothing, in every part", async () => {
    for (const slug of ["education", "student", "organisation"]) {
      const before = await record(slug);
      const at = `/admin/member-types/${slug}`;
      for (const part of ["type", "statuses", "fields", ...(before.isOrganisation ? [] : ["jobs"])])
        expect((await admin.post(at, owner, await formOf(part, at))).status, `${slug} ${part}`).toBe(303);
      expect(await record(slug)).toEqual(before);
    }
    expect(await changes()).toEqual([]);
  });

  test("M1 a status is renamed, placed and added; the next registration offers it", async () => {
    const { statuses } = await record();
    const form = await formOf("statuses");
    const [first] = statuses;
    const added = { "status.new0.name": "On a career break", "status.new0.position": "1", "status.new0.hides": "on" };
    const renamed = { [`status.${first?.id}.name`]: "Employed" };
    expect((await admin.post(path, owner, { ...form, ...renamed, ...added })).status).toBe(303);
    const now = (await offered()).statuses;
    expect(now[0]).toMatchObject({ id: first?.id, slug: first?.slug, name: "Employed" });
    expect(now).toContainEqual(
      expect.objectContaining({ name: "On a career break", slug: "on_a_career_break", hidesOrganisationDetails: true }),
    );
    expect(await changes()).toMatchObject([
      {
        subject_id: "education",
        actor: owner.email,
        after: { statuses: expect.stringContaining("On a career break") },
      },
    ]);
  });

  test("M1 what a member has chosen is not removed, and the rest of the form is not saved either", async () => {
    const { id, statuses } = await record();
    const [first, second] = statuses;
    await db
      .insertInto("members")
      .values({
        ...{ id: newId(), brand_id: brand.id, email: "a@b.example", name: "A", member_type_id: id },
        member_status_id: first?.id ?? "",
      })
      .execute();
    const form = await formOf("statuses");
    const both = { [`status.${first?.id}.name`]: "", [`status.${second?.id}.name`]: "Renamed" };
    const refused = await admin.post(path, owner, { ...form, ...both });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("can’t be removed");
    expect((await record()).statuses).toEqual(statuses);
    await admin.post(path, owner, { ...form, [`status.${second?.id}.name`]: "" });
    expect((await record()).statuses.map((status) => status.id)).not.toContain(second?.id);
  });

  test("M1 a question is added with its choices, and asked", async () => {
    const form = await formOf("fields");
    const list = { "field.new0.label": "Your union", "field.new0.kind": "select", "field.new0.position": "9" };
    const refused = await admin.post(path, owner, { ...form, ...list, "field.new0.choices": "One" });
    expect(refused.status).toBe(422);
    const html = await refused.text();
    expect(html).toContain("at least two choices");
    expect(html).toContain('value="Your union"');
    const choices = { "field.new0.choices": "NEU\r\nUnison\r\n", "field.new0.isRequired": "on" };
    expect((await admin.post(path, owner, { ...form, ...list, ...choices })).status).toBe(303);
    expect((await questions()).fields.at(-1)).toEqual({
      ...{ name: "your_union", label: "Your union", help: "", kind: "select", choices: ["NEU", "Unison"] },
      ...{ isRequired: true, isOrganisationDetail: false, autocomplete: "off" },
    });
    // The kind of a question that members have answered stays, whatever is posted.
    const { fields } = await record();
    const union = fields.find(({ name }) => name === "your_union");
    const again = await formOf("fields");
    const asText = { [`field.${union?.id}.kind`]: "text", [`field.${union?.id}.choices`]: "" };
    await admin.post(path, owner, { ...again, ...asText });
    expect((await record()).fields.find(({ name }) => name === "your_union")?.kind).toBe("select");
  });

  test("M1 a job category comes with its roles; the same name twice is refused", async () => {
    const form = await formOf("jobs");
    const added = {
      ...{ "category.new0.name": "Catering", "category.new0.position": "9" },
      ...{ "role.new-new0-0.category": "new0", "role.new-new0-0.name": "Cook", "role.new-new0-0.position": "0" },
    };
    const twice = { ...added, "role.new-new0-1.category": "new0", "role.new-new0-1.name": "Cook" };
    expect(
      await (await admin.post(path, owner, { ...form, ...twice, "role.new-new0-1.position": "1" })).text(),
    ).toContain("is there twice");
    expect((await questions()).categories.map(({ name }) => name)).not.toContain("Catering");
    expect((await admin.post(path, owner, { ...form, ...added })).status).toBe(303);
    expect((await questions()).categories.at(-1)).toMatchObject({ name: "Catering", roles: [{ name: "Cook" }] });
  });

  test("S1 rows of another type are not changed through this one", async () => {
    const nhs = await record("nhs");
    const [category] = nhs.categories;
    const form = await formOf("jobs");
    const foreign = {
      ...{ [`category.${category?.id}.name`]: "Mine", [`category.${category?.id}.position`]: "0" },
      ...{ "role.newx.category": category?.id ?? "", "role.newx.name": "Spy", "role.newx.position": "0" },
    };
    expect((await admin.post(path, owner, { ...form, ...foreign })).status).toBe(422);
    const statuses = await formOf("statuses");
    const status = nhs.statuses[0]?.id;
    const theirs = { [`status.${status}.name`]: "Mine", [`status.${status}.position`]: "0" };
    expect((await admin.post(path, owner, { ...statuses, ...theirs })).status).toBe(422);
    expect(await record("nhs")).toEqual(nhs);
  });

  test("A2 a stale save shows both, and who saved", async () => {
    const form = await formOf("type");
    expect((await admin.post(path, owner, { ...form, name: "Teaching" })).status).toBe(303);
    const stale = await admin.post(path, owner, { ...form, name: "Schools" });
    expect(stale.status).toBe(409);
    const html = await stale.text();
    for (const words of [owner.email, "Teaching", "Schools", "Save mine"]) expect(html).toContain(words);
    expect((await offered()).name).toBe("Teaching");
  });

  test("A2 a new type is offered once a brand ticks it; catalogue reads and changes nothing", async () => {
    const typed = {
      ...{ slug: "lifeboat_crew", name: "Lifeboat crew", memberIdLabel: "Crew number", memberIdHelp: "" },
      ...{ position: "20", status: "On call" },
    };
    const add = "/admin/member-types/new";
    expect((await admin.post(add, catalogue, typed)).status).toBe(403);
    expect((await admin.post(add, owner, { ...typed, slug: "Crew!" })).status).toBe(422);
    expect((await admin.post(add, owner, typed)).status).toBe(303);
    expect(await (await admin.post(add, owner, typed)).text()).toContain("Another type has this short name");
    expect(await record("lifeboat_crew")).toMatchObject({ name: "Lifeboat crew", statuses: [{ slug: "on_call" }] });
    expect((await findMemberTypes(db, brand.id)).map(({ slug }) => slug)).toEqual(["education"]);
    expect((await admin.get(path, catalogue)).status).toBe(200);
    expect((await admin.post(path, catalogue, await formOf("type"))).status).toBe(403);
    const organisation = await (await admin.get("/admin/member-types/organisation", owner)).text();
    expect(organisation).not.toContain("Job categories and roles");
  });
});
