import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findMemberTypes, findTypeQuestions } from "@farthing/core/member-types/queries.server.ts";
import { findMemberTypeRecord } from "@farthing/core/member-types/edit-member-types.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { findVerificationView } from "@farthing/core/verification-requests/queries.server.ts";
import { addProofKind, removeProofKind } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { seedProofs } from "@farthing/core/verification-requests/seed-proofs.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertMember } from "@farthing/core/testing/insert-member.testing.ts";
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
await seedProofs(db);
const brand = await insertBrand(db, { slug: "one" });
const { id: memberId } = await insertMember(db, { brandId: brand.id });
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
      for (const part of [
        ...["type", "statuses", "fields", "proofs", "domains"],
        ...(before.isOrganisation ? [] : ["jobs"]),
      ])
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

  test("M1 two job categories swap their names, and two roles theirs", async () => {
    const at = "/admin/member-types/nhs";
    const [one, two] = (await record("nhs")).categories.filter(({ roles }) => roles.length > 1);
    const [first, second] = one?.roles ?? [];
    if (!one || !two || !first || !second)
      throw new Error("The test needs two categories, one of them with two roles.");
    const swapped = {
      ...{ [`category.${one.id}.name`]: two.name, [`category.${two.id}.name`]: one.name },
      ...{ [`role.${first.id}.name`]: second.name, [`role.${second.id}.name`]: first.name },
    };
    expect((await admin.post(at, owner, { ...(await formOf("jobs", at)), ...swapped })).status).toBe(303);
    const { categories } = await record("nhs");
    const nameOf = new Map(
      categories.flatMap(({ id, name, roles }) => [{ id, name }, ...roles]).map((each) => [each.id, each.name]),
    );
    expect([one, two, first, second].map(({ id }) => nameOf.get(id))).toEqual([
      two.name,
      one.name,
      second.name,
      first.name,
    ]);
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

describe("M4 A2 what members of a type are asked to prove", () => {
  const at = "/admin/member-types/social_care";
  const type = () => record("social_care");
  const statusOf = async (slug: string) => (await type()).statuses.find((status) => status.slug === slug)!.id;
  const proofEntries = async () => (await changes()).filter(({ subject_id }) => subject_id === "social_care");
  /** What a member of the status sees on the page of proof. */
  async function seen(status: string) {
    await db
      .updateTable("members")
      .set({ member_type_id: (await type()).id, member_status_id: await statusOf(status), verification: "unverified" })
      .where("id", "=", memberId)
      .execute();
    const view = await findVerificationView(db, { memberId, brandId: brand.id, now: NOW });
    return { kinds: view?.kinds.map(({ slug }) => slug), domains: view?.workDomains };
  }

  test("M4 A2 a place puts a kind into the list of everyone or of a status, in order; members see it at once, the log has both lists", async () => {
    expect((await seen("volunteer")).kinds).toEqual(["volunteer_letter"]);
    const volunteer = await statusOf("volunteer");
    const form = await formOf("proofs", at);
    const changed = { [`proof.payslip.${volunteer}`]: "0", "proof.employer_letter.everyone": "" };
    const saved = await admin.post(at, owner, { ...form, ...changed });
    expect(saved.headers.get("location")).toBe(`${at}?saved=proofs`);
    expect((await seen("volunteer")).kinds).toEqual(["payslip", "volunteer_letter"]);
    expect((await seen("employed")).kinds).toEqual(["payslip", "work_id", "professional_register"]);
    // The numbers are those of the list: a first place stays free to type.
    expect(await formOf("proofs", at)).toMatchObject({
      ...{ [`proof.payslip.${volunteer}`]: "1", [`proof.volunteer_letter.${volunteer}`]: "2" },
      ...{ "proof.professional_register.everyone": "3", "proof.employer_letter.everyone": "" },
    });
    const [entry] = await proofEntries();
    const proofs = (state: unknown) => (state as { proofs: string }).proofs;
    expect(proofs(entry?.before)).toMatch(
      /^everyone: Payslip, Work ID card, Letter from your employer, .*; Volunteer: Letter from the organisation; /,
    );
    expect(proofs(entry?.after)).toMatch(
      /^everyone: Payslip, Work ID card, Entry in [^,]*; Volunteer: Payslip, Letter from the organisation; /,
    );
  });

  test("M4 A2 a status without a list takes everyone's; a type without any takes the general kinds, which the form names", async () => {
    const form = await formOf("proofs", at);
    const only = (keeps: (field: string) => boolean) =>
      Object.fromEntries(
        Object.entries(form).map(([field, value]) => [field, !field.startsWith("proof.") || keeps(field) ? value : ""]),
      );
    await admin.post(
      at,
      owner,
      only((field) => field.endsWith(".everyone")),
    );
    expect((await seen("volunteer")).kinds).toEqual(["payslip", "work_id", "professional_register"]);
    await admin.post(at, owner, { ...only(() => false), version: (await formOf("proofs", at))["version"] ?? "" });
    expect((await type()).proofs).toEqual([]);
    expect((await seen("volunteer")).kinds).toEqual(["payslip", "work_id", "employer_letter"]);
    const html = await (await admin.get(at, owner)).text();
    expect(html).toMatch(/general kinds<\/a>[^.]*: Payslip, Work ID card, Letter from your employer/);
  });

  test("M4 A2 two kinds with one place, and what is no place, are named at their fields, and nothing is lost or saved", async () => {
    const before = await type();
    const retired = await statusOf("retired");
    const form = await formOf("proofs", at);
    const typed = {
      ...{ [`proof.work_id.${retired}`]: "3", [`proof.payslip.${retired}`]: "3" },
      ...{
        "proof.work_id.everyone": "first",
        "proof.payslip.everyone": "-1",
        "proof.employer_letter.everyone": "1000",
      },
    };
    const refused = await admin.post(at, owner, { ...form, ...typed });
    expect(refused.status).toBe(422);
    const html = (await refused.text()).replaceAll("&#x27;", "'");
    for (const fault of [
      /has the place 3 already/,
      /Work ID card for everyone: Give a whole number/,
      /Payslip for everyone: Give 0 or more/,
      /Letter from your employer for everyone: Give at most 999/,
    ])
      expect(html).toMatch(fault);
    expect(html).toMatch(/name="proof.work_id.everyone"[^>]*value="first"/);
    expect(html.match(/aria-invalid="true"/g)).toHaveLength(4);
    expect(await type()).toEqual(before);
  });

  test("S1 M4 statuses of other types and kinds that are not there are refused, and no list changes", async () => {
    const before = await type();
    const form = await formOf("proofs", at);
    const foreign = (await record("nhs")).statuses[0]!.id;
    for (const field of [`proof.payslip.${foreign}`, "proof.no_such.everyone", "proof.payslip.x"])
      expect((await admin.post(at, owner, { ...form, [field]: "1" })).status, field).toBe(422);
    // A kind that was removed while the form was open.
    const kind = { name: "Card", help: "", shows: ["Your name"], hides: "", drawing: "card" as const };
    await addProofKind(db, { ...kind, slug: "gone", isGeneral: false, position: 1 });
    const open = await formOf("proofs", at);
    expect(open).toHaveProperty(["proof.gone.everyone"]);
    await removeProofKind(db, { slug: "gone" });
    const late = await admin.post(at, owner, { ...open, "proof.gone.everyone": "1" });
    expect([late.status, (await late.text()).includes("not there any more")]).toEqual([422, true]);
    expect(await type()).toEqual(before);
  });

  test("A2 M4 a save of proofs or domains that came too late shows both, in the words of the form", async () => {
    const [proofs, domains] = [await formOf("proofs", at), await formOf("domains", at)];
    expect((await admin.post(at, owner, { ...proofs, "proof.payslip.everyone": "1" })).status).toBe(303);
    const stale = await admin.post(at, owner, { ...proofs, "proof.work_id.everyone": "1" });
    expect(stale.status).toBe(409);
    const html = await stale.text();
    for (const words of [owner.email, "Payslip for everyone", "Work ID card for everyone", "Save mine"])
      expect(html).toContain(words);
    const late = await admin.post(at, owner, { ...domains, "domain.new0.name": "late.example" });
    expect([late.status, (await late.text()).includes("late.example")]).toEqual([409, true]);
    expect((await type()).domains.map(({ name }) => name)).not.toContain("late.example");
  });

  test("M4 A2 a work e-mail domain is added, with what lies under it, offered to members at once, and removed", async () => {
    const before = (await type()).domains;
    const added = {
      "domain.new0.name": " Wards.Example ",
      "domain.new0.withSubdomains": "on",
      "domain.new1.name": "home.example",
    };
    expect((await admin.post(at, owner, { ...(await formOf("domains", at)), ...added })).status).toBe(303);
    expect((await type()).domains).toEqual(
      [
        ...before,
        { name: "wards.example", withSubdomains: true },
        { name: "home.example", withSubdomains: false },
      ].toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    );
    expect((await seen("employed")).domains).toEqual(expect.arrayContaining(["wards.example", "home.example"]));
    expect((await proofEntries()).at(-1)?.after).toMatchObject({
      work_email_domains: expect.stringContaining("wards.example and under it"),
    });
    const form = await formOf("domains", at);
    const [row] = Object.entries(form).find(([, value]) => value === "wards.example") ?? [""];
    expect((await admin.post(at, owner, { ...form, [row]: "" })).status).toBe(303);
    expect((await type()).domains.map(({ name }) => name)).not.toContain("wards.example");
  });

  test("S1 M4 what is no domain, anyone's mailbox and a domain twice are refused with the reason, and what was typed stays", async () => {
    const before = await type();
    for (const [typed, reason] of [
      ["https://nhs.uk", "without https:// or @"],
      ["gmail.com", "Anyone can have a mailbox at gmail.com"],
      ["home.example", "is there twice"],
    ] as const) {
      const form = await formOf("domains", at);
      const refused = await admin.post(at, owner, { ...form, "domain.new0.name": typed });
      expect(refused.status, typed).toBe(422);
      const html = await refused.text();
      expect(html).toContain(reason);
      expect(html).toContain(`value="${typed}"`);
    }
    expect(await type()).toEqual(before);
    expect((await admin.post(at, catalogue, await formOf("proofs", at))).status).toBe(403);
    expect((await admin.post(at, catalogue, await formOf("domains", at))).status).toBe(403);
  });
});
