import { insertOperator, loadAdmin, openTestAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { findBrandBySlug } from "@farthing/core/brands/queries.server.ts";
import { findFaqs } from "@farthing/core/faqs/queries.server.ts";
import { seedFaqs } from "@farthing/core/faqs/seed-faqs.server.ts";
import { findLegalPage } from "@farthing/core/legal-pages/queries.server.ts";
import { seedLegalPages } from "@farthing/core/legal-pages/seed-legal-pages.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";

const { db } = await testDatabase();
loadAdmin();
const admin = openTestAdmin(db);
afterEach(() => expect(admin.errors).toEqual([]));

const catalogue = await insertOperator(db, { role: "catalogue" });
const support = await insertOperator(db, { role: "support" });
await insertBrand(db, { slug: "one" });
await insertBrand(db, { slug: "two" });
await seedLegalPages(db);
await seedFaqs(db);
const brandOf = async (slug: string) => (await findBrandBySlug(db, slug))!;
const entries = (action: string) =>
  db.selectFrom("audit_entries").selectAll().where("action", "=", action).orderBy("seq").execute();

describe("B3 legal pages in the admin", () => {
  const path = "/admin/brands/one/legal/terms";
  const legal = async (slug: string, page = "terms") => findLegalPage(db, { brand: await brandOf(slug), slug: page });
  const seen = async () =>
    /name="seen" value="([^"]+)"/.exec(await (await admin.get(path, catalogue)).text())?.[1] ?? "";
  const typed = { title: "Terms of One", summary: "What we agree on.", body: "## Joining\r\n\r\nWrite to {support}." };

  test("B3 a brand gets its own text, from a form that shows the shared one; other brands keep theirs", async () => {
    const shared = await legal("two");
    expect(await (await admin.get(path, catalogue)).text()).toContain("shared sample");
    expect((await admin.post(path, catalogue, { ...typed, seen: await seen() })).status).toBe(303);
    expect(await legal("one")).toMatchObject({
      title: "Terms of One",
      updatedOn: admin.services.now().toISOString().slice(0, 10),
      blocks: [expect.anything(), expect.anything()],
    });
    expect(JSON.stringify(await legal("one"))).toContain("help@one.test");
    expect(await legal("two")).toEqual(shared);
    expect(await entries("legal-page.change")).toMatchObject([
      { before: null, after: { slug: "terms", brand: "one", title: "Terms of One" } },
    ]);
  });

  test("B3 a stale save shows both texts and loses neither; the same text again changes nothing", async () => {
    const old = await seen();
    await admin.post(path, catalogue, { ...typed, title: "Theirs", seen: old });
    const stale = await admin.post(path, catalogue, { ...typed, title: "Mine", seen: old });
    expect(stale.status).toBe(409);
    const html = await stale.text();
    for (const words of [catalogue.email, "Theirs", "Mine"]) expect(html).toContain(words);
    expect((await legal("one"))?.title).toBe("Theirs");
    const [, version = ""] = /name="seen" value="([^"]+)"\/><p/.exec(html) ?? [];
    await admin.post(path, catalogue, { ...typed, title: "Mine", seen: version });
    expect((await legal("one"))?.title).toBe("Mine");
    const count = (await entries("legal-page.change")).length;
    await admin.post(path, catalogue, { ...typed, title: "Mine", seen: await seen() });
    expect(await entries("legal-page.change")).toHaveLength(count);
  });

  test.each([
    [{ title: "" }, "Use 1 to 80"],
    [{ summary: "a\nb" }, "Use 1 to 200"],
    [{ body: "   " }, "Use 1 to 60,000"],
    [{ body: "Hello {name}" }, "stands for nothing"],
  ])("B3 %j is refused in words", async (wrong, words) => {
    const answer = await admin.post(path, catalogue, { ...typed, ...wrong, seen: await seen() });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(words);
    expect((await legal("one"))?.title).toBe("Mine");
  });

  test("B3 a page is added, and given up after a question; a shared one can't be", async () => {
    const add = "/admin/brands/one/legal/new";
    expect((await admin.post(add, catalogue, { ...typed, slug: "new" })).status).toBe(422);
    expect((await admin.post(add, catalogue, { ...typed, slug: "modern-slavery" })).status).toBe(303);
    expect(await legal("one", "modern-slavery")).not.toBeNull();
    expect(await legal("two", "modern-slavery")).toBeNull();
    expect((await admin.post(add, catalogue, { ...typed, slug: "modern-slavery" })).status).toBe(422);
    const own = "/admin/brands/one/legal/modern-slavery";
    expect(await (await admin.post(own, catalogue, { act: "drop" })).text()).toContain("Give up the brand’s own text?");
    await admin.post(own, catalogue, { act: "drop", confirmed: "yes", why: "not needed" });
    expect(await legal("one", "modern-slavery")).toBeNull();
    const shared = "/admin/brands/two/legal/terms";
    expect((await admin.post(shared, catalogue, { act: "drop", confirmed: "yes", why: "x" })).status).toBe(409);
    expect(await legal("two")).not.toBeNull();
    expect((await admin.get(path, support)).status).toBe(403);
    expect((await admin.get("/admin/brands/one/legal/none", catalogue)).status).toBe(404);
  });
});

describe("M8 questions in the admin", () => {
  const faqsOf = async (slug: string) =>
    (await findFaqs(db, { brand: await brandOf(slug) })).flatMap(({ slug: category, faqs }) =>
      faqs.map((faq) => ({ ...faq, category })),
    );
  const typed = { brand: "", feature: "", position: "3", answer: "Yes.\r\n\r\n- At once." };

  test("M8 a shared question is added for every brand, and one brand replaces it by its short name", async () => {
    const [{ category } = { category: "" }] = await faqsOf("one");
    const add = "/admin/questions/new";
    const question = { ...typed, category, slug: "is-it-new", question: "Is it new at {brand}?" };
    expect((await admin.post(add, catalogue, question)).status).toBe(303);
    expect(await faqsOf("two")).toContainEqual({
      ...{ category, slug: "is-it-new", question: "Is it new at two?", answer: "Yes.\n\n- At once." },
    });
    expect(await (await admin.post(add, catalogue, question)).text()).toContain("Another question has this short name");
    const { id } = await db.selectFrom("faqs").select("id").where("slug", "=", "is-it-new").executeTakeFirstOrThrow();
    expect(await (await admin.get(`${add}?like=${id}&brand=one`, catalogue)).text()).toContain("Is it new at {brand}?");
    await admin.post(add, catalogue, { ...question, brand: "one", answer: "Not here." });
    expect((await faqsOf("one")).filter(({ slug }) => slug === "is-it-new")).toMatchObject([{ answer: "Not here." }]);
    expect((await faqsOf("two")).filter(({ slug }) => slug === "is-it-new")).toMatchObject([
      { answer: "Yes.\n\n- At once." },
    ]);
    expect(await entries("faq.create")).toMatchObject([{ after: { brand: null } }, { after: { brand: "one" } }]);
    const own = await (await admin.get("/admin/questions?brand=one", catalogue)).text();
    expect(own).toContain("Is it new at {brand}?");
    expect(own).not.toContain(id);
  });

  test("M8 a question is changed unless it was changed meanwhile, and removed after a question", async () => {
    const row = await db
      .selectFrom("faqs")
      .innerJoin("faq_categories", "faq_categories.id", "category_id")
      .select(["faqs.id", "faqs.version", "faqs.slug", "faqs.question", "faq_categories.slug as category"])
      .where("faqs.slug", "=", "is-it-new")
      .where("brand_id", "is", null)
      .executeTakeFirstOrThrow();
    const path = `/admin/questions/${row.id}`;
    const form = { ...typed, category: row.category, slug: row.slug, question: row.question };
    const version = String(row.version);
    expect((await admin.post(path, catalogue, { ...form, answer: "Theirs.", version })).status).toBe(303);
    const stale = await admin.post(path, catalogue, { ...form, answer: "Mine.", version });
    expect(stale.status).toBe(409);
    const html = await stale.text();
    for (const words of [catalogue.email, "Theirs.", "Mine."]) expect(html).toContain(words);
    expect((await admin.post(path, catalogue, { ...form, category: "none", version: "2" })).status).toBe(422);
    expect((await admin.post(path, catalogue, { ...form, position: "1.5", version: "2" })).status).toBe(422);
    expect(await (await admin.post(path, catalogue, { act: "remove" })).text()).toContain("Remove this question?");
    expect((await admin.post(path, catalogue, { act: "remove", confirmed: "yes", why: "" })).status).toBe(422);
    expect((await admin.post(path, catalogue, { act: "remove", confirmed: "yes", why: "asked twice" })).status).toBe(
      303,
    );
    expect((await admin.get(path, catalogue)).status).toBe(404);
    expect(await entries("faq.remove")).toMatchObject([{ before: { answer: "Theirs." }, after: null }]);
  });
});

describe("M8 subjects of questions in the admin", () => {
  const subjects = async (slug: string) =>
    (await findFaqs(db, { brand: await brandOf(slug) })).filter((each) => !each.isHidden);
  const names = async (slug: string) => (await subjects(slug)).map(({ name }) => name);
  const add = (form: Record<string, string>) =>
    admin.post("/admin/subjects/new", catalogue, { brand: "", position: "0", ...form });
  const idOf = async (slug: string, brand: string | null = null) => {
    const { rows } = await sql<{
      id: string;
    }>`select c.id from faq_categories c left join brands b on b.id = c.own_brand_id
      where c.slug = ${slug} and b.slug is not distinct from ${brand}::text`.execute(db);
    return rows[0]?.id ?? "none";
  };
  const change = async (id: string, form: Record<string, string>, version?: string) => {
    const page = await (await admin.get(`/admin/subjects/${id}`, catalogue)).text();
    const seen = version ?? /name="version" value="(\d+)"/.exec(page)?.[1] ?? "";
    return admin.post(`/admin/subjects/${id}`, catalogue, { ...form, version: seen });
  };
  const question = (form: Record<string, string>) =>
    admin.post("/admin/questions/new", catalogue, {
      ...{ brand: "", feature: "", position: "3", answer: "Yes.", question: `About ${form["slug"]}?` },
      ...form,
    });

  test("M8 a subject is added for every brand, shown once it has a question, renamed, moved and hidden", async () => {
    expect((await add({ slug: "boats", name: "Boats" })).headers.get("location")).toBe("/admin/subjects?done");
    expect(await names("one")).not.toContain("Boats");
    expect((await question({ slug: "which-boats", category: "boats" })).status).toBe(303);
    expect((await names("two")).includes("Boats")).toBe(true);
    const id = await idOf("boats");
    expect((await change(id, { name: "Boats & oars", position: "9999" })).status).toBe(303);
    expect((await names("one")).at(-1)).toBe("Boats & oars");
    await change(id, { name: "Boats & oars", position: "9999", isHidden: "yes" });
    expect(await names("one")).not.toContain("Boats & oars");
    const hidden = (await findFaqs(db, { brand: await brandOf("one") })).find(({ slug }) => slug === "boats");
    expect(hidden).toMatchObject({ isHidden: true, faqs: [{ slug: "which-boats" }] });
    await change(id, { name: "Boats", position: "0" });
    expect(await entries("faq-subject.change")).toMatchObject([
      { before: { name: "Boats", position: 0 }, after: { name: "Boats & oars", position: 9999, questions: 1 } },
      { after: { is_hidden: true } },
      { after: { is_hidden: false, position: 0 } },
    ]);
  });

  test("M8 a brand's own subject replaces the shared one there, and one that is its alone takes its questions only", async () => {
    const shared = await idOf("boats");
    const like = await (await admin.get(`/admin/subjects/new?like=${shared}`, catalogue)).text();
    expect(like).toContain('value="boats"');
    expect((await add({ slug: "boats", name: "Ships", brand: "one", position: "9000" })).status).toBe(303);
    expect((await names("one")).at(-1)).toBe("Ships");
    expect(await names("two")).toContain("Boats");
    expect((await subjects("one")).at(-1)?.faqs.map(({ slug }) => slug)).toEqual(["which-boats"]);
    await question({ slug: "which-boats", category: "boats", brand: "one", answer: "Ours." });
    expect((await subjects("one")).at(-1)?.faqs).toMatchObject([{ slug: "which-boats", answer: "Ours." }]);
    await add({ slug: "harbour", name: "Harbour", brand: "two" });
    expect((await question({ slug: "where", category: "harbour" })).status, "no shared question").toBe(422);
    expect((await question({ slug: "where", category: "harbour", brand: "one" })).status).toBe(422);
    expect((await question({ slug: "where", category: "harbour", brand: "two" })).status).toBe(303);
    expect(await names("two")).toContain("Harbour");
    expect(await names("one")).not.toContain("Harbour");
    const list = await (await admin.get("/admin/subjects?brand=two", catalogue)).text();
    expect(list).toContain("Harbour");
    expect(list).not.toContain("Ships");
  });

  test.each([
    [{ slug: "boats", name: "Again" }, "Another subject has this short name"],
    [{ slug: "Boats!", name: "Again" }, "lower-case letters"],
    [{ slug: "fine", name: " " }, "Use 1 to 60"],
    [{ slug: "fine", name: "a\nb" }, "Use 1 to 60"],
    [{ slug: "fine", name: "Fine", position: "1.5" }, "Give a whole number"],
    [{ slug: "fine", name: "Fine", brand: "nobody" }, "Choose a brand"],
  ])("M8 %j is refused in words", async (form, words) => {
    const answer = await add(form);
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain(words);
  });

  test("M8 a stale save says who changed what", async () => {
    const id = await idOf("boats");
    await change(id, { name: "Theirs", position: "0" });
    const stale = await change(id, { name: "Mine", position: "0" }, "1");
    expect(stale.status).toBe(409);
    const html = await stale.text();
    for (const words of [catalogue.email, "Theirs", "Mine"]) expect(html).toContain(words);
    expect((await names("two"))[0]).toBe("Theirs");
  });

  test("M8 a subject with questions is not removed before they have another, and none of them is lost", async () => {
    const path = `/admin/subjects/${await idOf("boats")}`;
    const remove = (form: Record<string, string> = {}) => admin.post(path, catalogue, { act: "remove", ...form });
    const asked = await (await remove()).text();
    expect(asked).toContain("Remove Theirs?");
    expect(asked).toContain("Its 2 questions go to another subject");
    const sure = { confirmed: "yes", why: "one subject too many" };
    for (const to of ["", "nothing", "harbour", "boats"]) {
      const refused = await remove({ ...sure, to });
      expect(refused.status).toBe(422);
      expect(await refused.text()).toContain("Choose");
    }
    expect((await remove({ ...sure, why: "", to: "joining" })).status).toBe(422);
    const count = () => db.selectFrom("faqs").select("id").execute();
    const before = await count();
    expect((await remove({ ...sure, to: "joining" })).status).toBe(303);
    expect((await count()).length).toBe(before.length);
    const joining = (await subjects("one")).find(({ slug }) => slug === "joining");
    expect(joining?.faqs.find(({ slug }) => slug === "which-boats")).toMatchObject({ answer: "Ours." });
    expect(await names("one"), "without questions").not.toContain("Ships");
    expect((await admin.get(path, catalogue)).status).toBe(404);
    expect(await entries("faq-subject.remove")).toMatchObject([
      { before: { name: "Theirs", questions: 2 }, after: null },
    ]);
    await expect(db.deleteFrom("faq_categories").where("slug", "=", "joining").execute()).rejects.toThrow(
      "faqs_category_id_fkey",
    );
    const own = `/admin/subjects/${await idOf("boats", "one")}`;
    expect((await admin.post(own, catalogue, { act: "remove", ...sure })).status).toBe(303);
    expect((await admin.get("/admin/subjects", support)).status).toBe(403);
  });
});
