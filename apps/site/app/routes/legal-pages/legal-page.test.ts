import { seedLegalPages } from "@farthing/core/legal-pages/seed-legal-pages.server.ts";
import legalPages from "@farthing/db/seeds/legal-pages.json" with { type: "json" };
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let ours: TestClub;
let theirs: TestClub;
beforeAll(async () => {
  await seedLegalPages(db);
  ours = await openClub(db);
  theirs = await openClub(db);
});

/** The day each page was last changed, as its text is seeded. */
const changed = new Map(legalPages.map(({ slug, updatedOn }) => [slug, updatedOn]));
const read = async (club: TestClub, path: string) => {
  const response = await club.get(path);
  return { status: response.status, html: await response.text() };
};

describe("legal pages", () => {
  test("B3 each names the brand, when it changed and whom to write to, and the footer links to it", async () => {
    for (const page of ["terms", "privacy", "cookies", "accessibility"]) {
      const { status, html } = await read(ours, `/legal/${page}`);
      expect(status).toBe(200);
      expect(html).toMatch(new RegExp(`<time dateTime="${changed.get(page)}">\\d+ \\w+ \\d{4}</time>`));
      expect(html).toContain(`href="mailto:${ours.brand.supportEmail}"`);
      expect(html).toContain(`href="${new URL(`http://${ours.brand.slug}.localhost/legal/${page}`).href}"`);
      expect(html).not.toContain(theirs.brand.name);
    }
    expect((await read(ours, "/")).html).toContain('href="/legal/terms"');
  });

  test("U1 headings can be linked to, and each cell of a table names its column", async () => {
    const { html } = await read(ours, "/legal/privacy");
    expect(html).toContain('href="#who-else-sees-it"');
    expect(html).toContain('id="who-else-sees-it"');
    expect(html).toMatch(/<th scope="col">How long<\/th>/);
    expect(html).toMatch(/<th scope="row">/);
  });

  test("Z5 a page that a brand does not have is not found, even if another brand has it", async () => {
    await db
      .insertInto("legal_pages")
      .values({
        id: newId(),
        brand_id: theirs.brand.id,
        slug: "house-rules",
        title: "House rules",
        summary: "Theirs.",
        body: `<b onclick="x()">Bold</b> [x](javascript:x)`,
        position: 9,
        updated_on: "2026-11-21",
      })
      .execute();
    expect((await read(ours, "/legal/house-rules")).status).toBe(404);
    expect((await read(ours, "/legal/nothing")).status).toBe(404);
    expect((await read(ours, "/legal/")).status).toBe(404);
    const own = await read(theirs, "/legal/house-rules");
    expect(own.status).toBe(200);
    expect(own.html).not.toContain("<b onclick");
    expect(own.html).not.toContain('href="javascript');
  });
});
