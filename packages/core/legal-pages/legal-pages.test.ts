import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { seedMemberTypes } from "../member-types/reference-data/seed-member-types.server.ts";
import type { Brand } from "../brands/brand.ts";
import { findLegalPage } from "./queries.server.ts";
import { type LegalWords, readLegalText } from "./legal-text.ts";
import { findBrandByHost, listBrands } from "../brands/queries.server.ts";
import { seedBrands } from "../brands/seed-brands.server.ts";
import { seedLegalPages } from "./seed-legal-pages.server.ts";

const { db } = await testDatabase();

beforeAll(async () => {
  await seedMemberTypes(db);
  await seedBrands(db);
  await seedLegalPages(db);
});

const plain = (words: LegalWords) => words.map((part) => (typeof part === "string" ? part : part.text)).join("");
const wholeText = async (brand: Brand, slug: string) => JSON.stringify(await findLegalPage(db, { brand, slug }));

describe("legal pages", () => {
  test("B3 every brand has pages on terms, privacy, cookies and accessibility, with its own name and address only", async () => {
    const brands = await listBrands(db);
    for (const brand of brands) {
      expect(brand.legalPages.map(({ slug }) => slug)).toEqual(["terms", "privacy", "cookies", "accessibility"]);
      for (const { slug } of brand.legalPages) {
        const text = await wholeText(brand, slug);
        expect(text).toContain(brand.name);
        expect(text).toContain(`mailto:${brand.supportEmail}`);
        expect(text, "a placeholder was left").not.toMatch(/\{\w+\}/);
        for (const other of brands) if (other !== brand) expect(text).not.toContain(other.name);
      }
    }
  });

  test("B3 M1 the terms state the same age and residence as registration", async () => {
    for (const [host, age] of [
      ["freshledge.localhost", 16],
      ["wardlight.localhost", 18],
    ] as const) {
      const brand = (await findBrandByHost(db, host)) as Brand;
      const terms = await wholeText(brand, "terms");
      expect(terms).toContain(`at least ${age} years old`);
      expect(terms).toContain("live in the United Kingdom, the Isle of Man, Jersey or Guernsey");
    }
  });

  test("B4 a brand's own page replaces the shared one for that brand only", async () => {
    const [ours, theirs] = (await listBrands(db)) as [Brand, Brand];
    const own = { brand_id: ours.id, position: 0, updated_on: "2026-12-01" };
    await db
      .insertInto("legal_pages")
      .values([
        { ...own, id: newId(), slug: "terms", title: "House rules", summary: "Ours.", body: "Only at {brand}." },
        { ...own, id: newId(), slug: "modern-slavery", title: "Modern slavery", summary: "Ours.", body: "None." },
      ])
      .execute();
    expect(await findLegalPage(db, { brand: ours, slug: "terms" })).toEqual({
      slug: "terms",
      title: "House rules",
      summary: "Ours.",
      blocks: [{ kind: "paragraph", words: [`Only at ${ours.name}.`] }],
      updatedOn: "2026-12-01",
    });
    expect((await findLegalPage(db, { brand: theirs, slug: "terms" }))?.title).toBe("Terms");
    expect(await findLegalPage(db, { brand: theirs, slug: "modern-slavery" })).toBeNull();
    const [first, second] = await listBrands(db);
    expect(first?.legalPages).toContainEqual({ slug: "terms", title: "House rules" });
    expect(first?.legalPages).toHaveLength(5);
    expect(second?.legalPages).toHaveLength(4);
    expect(await seedLegalPages(db), "seeding again").toBe(0);
  });

  test("B3 text is parsed to headings, paragraphs, lists, tables and safe links", () => {
    const brand = {
      name: "Club",
      supportEmail: "help@club.example",
      audience: "all",
      registration: { minimumAge: 18, residence: ["GB"] },
    };
    const blocks = readLegalText(
      [
        "## What’s kept",
        "One line",
        "and its next. [Write]({support}) or [mail](mailto:{support}), [here](/faq), [away](//evil.example).",
        "",
        "- one",
        "- [bad](javascript:alert(1)) two",
        "",
        "| Name | What for |",
        "| a | {brand} |",
      ].join("\n"),
      brand,
    );
    expect(blocks.map(({ kind }) => kind)).toEqual(["heading", "paragraph", "list", "table"]);
    expect(blocks[0]).toEqual({ kind: "heading", id: "whats-kept", text: "What’s kept" });
    const links = JSON.stringify(blocks).match(/"href":"[^"]*"/g);
    expect(links).toEqual(['"href":"mailto:help@club.example"', '"href":"/faq"']);
    expect(blocks[3]).toEqual({ kind: "table", head: ["Name", "What for"], rows: [[["a"], ["Club"]]] });
    expect(blocks[2]?.kind === "list" && plain(blocks[2].items[1] ?? [])).toContain("javascript:alert(1)");
  });
});
