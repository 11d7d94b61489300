import { seedFaqs } from "@farthing/core/faqs/seed-faqs.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub } from "../../../testing/site.testing.ts";

loadSite();
const { db } = await testDatabase();
let club: TestClub;
let other: TestClub;

beforeAll(async () => {
  expect(await seedFaqs(db)).toBeGreaterThan(20);
  club = await openClub(db);
  other = await openClub(db);
});

const page = async (path: string, at = club) => {
  const response = await at.get(path);
  return { status: response.status, html: await response.text() };
};

describe("M8 FAQ pages", () => {
  test("M8 the first subject is shown with every question, readable without script, in the brand's words", async () => {
    const { status, html } = await page("/faq");
    expect(status).toBe(200);
    expect(html).toMatch(/<a href="\/faq\/joining"[^>]*aria-current="page"/);
    expect(html).toContain(`Who can join ${club.brand.name}?`);
    expect(html).toContain(club.brand.supportEmail);
    expect(html).not.toMatch(/\{brand\}|\{support\}/);
    expect(html).toContain('data-controller="faqs"');
  });

  test("M8 a link to one question shows it open, under its own title, and alone in the structured data", async () => {
    const { html } = await page("/faq/cashback/why-was-my-cashback-declined");
    expect(html).toMatch(/<title>Why was my cashback declined\? \|/);
    expect(html.match(/<details[^>]* open=""/g)).toHaveLength(1);
    const facts = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html)?.[1] ?? "";
    expect(JSON.parse(facts)).toMatchObject({
      "@type": "FAQPage",
      mainEntity: [{ name: "Why was my cashback declined?" }],
    });
  });

  test.each(["/faq/nothing", "/faq/cashback/nothing", "/faq/account/why-was-my-cashback-declined"])(
    "M8 %s is not found, and the page says so",
    async (path) => expect((await page(path)).status).toBe(404),
  );

  test("M8 a search keeps its query, finds across subjects and is not indexed", async () => {
    const { html } = await page("/faq?q=pasword");
    expect(html).toMatch(/value="pasword"/);
    expect(html).toContain("I can’t log in");
    expect(html).toContain('name="robots" content="noindex"');
  });

  test("M8 a search without a result leads on, and markup in it stays text", async () => {
    const { status, html } = await page(`/faq?q=${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect(status).toBe(200);
    expect(html).toContain("No answer with those words");
    expect(html).not.toContain("<script>alert");
    expect((await page(`/faq?q=${"x".repeat(5000)}`)).status).toBe(200);
  });

  test("B4 a brand's own answer replaces the common one, for that brand only; questions about a disabled feature are hidden", async () => {
    const general = await db
      .selectFrom("faqs")
      .select(["category_id", "slug", "position"])
      .where("slug", "=", "what-does-it-cost")
      .executeTakeFirstOrThrow();
    await db
      .insertInto("faqs")
      .values({
        ...general,
        id: newId(),
        brand_id: club.brand.id,
        question: "What does it cost here?",
        answer: "A smile </script>.",
      })
      .execute();
    const ours = (await page("/faq/joining")).html;
    expect(ours).toContain("What does it cost here?");
    expect(ours).not.toContain("What does it cost?<");
    expect(ours).not.toMatch(/"A smile <\/script>/);
    expect((await page("/faq/joining", other)).html).not.toContain("What does it cost here?");

    expect((await page("/faq/offers")).html).toContain("What is an app-exclusive offer?");
    other.brand.features.appExclusive = false;
    expect((await page("/faq/offers", other)).html).not.toContain("What is an app-exclusive offer?");
  });

  test.each(["before the common one", "in another subject"])(
    "B4 a brand's own answer replaces the common one also where it stands %s",
    async (place) => {
      const general = await db
        .selectFrom("faqs")
        .select(["category_id", "slug", "position"])
        .where("slug", "=", "why-was-my-cashback-declined")
        .where("brand_id", "is", null)
        .executeTakeFirstOrThrow();
      const joining = await db
        .selectFrom("faq_categories")
        .select("id")
        .where("slug", "=", "joining")
        .executeTakeFirstOrThrow();
      const isElsewhere = place === "in another subject";
      const row = {
        id: newId(),
        brand_id: club.brand.id,
        slug: general.slug,
        question: "Why did the shop say no?",
        answer: "It tells us.",
      };
      await db
        .insertInto("faqs")
        .values(
          isElsewhere
            ? { ...row, category_id: joining.id, position: general.position }
            : { ...row, category_id: general.category_id, position: 0 },
        )
        .execute();
      const subject = (await page("/faq/cashback")).html;
      expect(subject).not.toContain("Why was my cashback declined?");
      expect(subject.includes("Why did the shop say no?")).toBe(!isElsewhere);
      expect((await page("/faq/joining")).html.includes("Why did the shop say no?")).toBe(isElsewhere);
      expect((await page("/faq/cashback", other)).html).toContain("Why was my cashback declined?");
      await db.deleteFrom("faqs").where("id", "=", row.id).execute();
    },
  );

  test("M8 a hidden subject is in no tab and no search, at this brand only, and its address stays", async () => {
    await db
      .insertInto("faq_categories")
      .values({
        id: newId(),
        own_brand_id: club.brand.id,
        slug: "cashback",
        name: "Money back",
        position: 0,
        is_hidden: true,
      })
      .execute();
    const ours = await page("/faq");
    expect(ours.html).not.toContain('href="/faq/cashback"');
    expect((await page("/faq?q=declined")).html).not.toContain("/faq/cashback/why-was-my-cashback-declined");
    const open = await page("/faq/cashback/why-was-my-cashback-declined");
    expect([open.status, open.html.includes("Why was my cashback declined?")]).toEqual([200, true]);
    expect((await page("/faq", other)).html).toContain('href="/faq/cashback"');
    await db.updateTable("faq_categories").set({ is_hidden: false }).where("name", "=", "Money back").execute();
    expect((await page("/faq")).html).toContain("Money back");
    await db.deleteFrom("faq_categories").where("name", "=", "Money back").execute();
  });
});
