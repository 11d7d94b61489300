import {
  insertCategory,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, type TestClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

let club: TestClub;
beforeAll(async () => {
  club = await openClub(db, { home: ["ending", "categories", "offers", "cashback"] });
  const network = await insertNetwork(db);
  const kites = await insertCategory(db, "Kites");
  const ropes = await insertCategory(db, "Ropes");
  for (const [name, bp, kind, categoryIds] of [
    ["Aldergust", 200, "code", [kites.id]],
    ["Briskwind", 800, "deal", [kites.id, ropes.id]],
  ] as const) {
    const retailer = await insertRetailer(db, { name, brandIds: [club.brand.id], categoryIds: [...categoryIds] });
    const programme = await insertProgramme(db, { networkId: network.id, retailerId: retailer.id });
    await insertRateTier(db, { programmeId: programme.id, bp });
    for (let number = 1; number <= 13; number += 1)
      await insertOffer(db, {
        networkId: network.id,
        retailerId: retailer.id,
        kind,
        title: `Kite of ${name} ${number}`,
        categoryIds: [...categoryIds],
      });
  }
  const buoys = await insertCategory(db, "Buoys");
  const tidewater = await insertRetailer(db, {
    ...{ name: "Tidewater", brandIds: [club.brand.id], categoryIds: [buoys.id] },
    popularity: 90,
  });
  const programme = await insertProgramme(db, { networkId: network.id, retailerId: tidewater.id });
  await insertRateTier(db, { programmeId: programme.id, bp: 750 });
  for (const kind of ["code", "cashback"] as const)
    await insertOffer(db, {
      networkId: network.id,
      retailerId: tidewater.id,
      programmeId: programme.id,
      kind,
      title: `Buoy ${kind}`,
      categoryIds: [buoys.id],
      popularity: kind === "code" ? 90 : 80, // home shows a retailer's most popular offer only
    });
  await indexCatalogue(db, { now: NOW });
});

const read = async (path: string) => {
  const response = await club.get(path);
  return { response, html: await response.text() };
};
/** Addresses in the page, as a person would copy them. */
const links = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!.replaceAll("&amp;", "&"));

describe("what an offer earns on top", () => {
  test("O7 every list of offers says on the card what the offer earns on top, and a cashback offer does not repeat it", async () => {
    for (const path of ["/categories/buoys", "/search?q=buoy", "/retailers/tidewater", "/"]) {
      const { html } = await read(path);
      expect(textOf(html), path).toContain("Code plus 7.5% cashback");
      expect(textOf(html), path).not.toContain("Cashback plus");
    }
  });
});

describe("a category's page", () => {
  test("D5 every filter has an address that keeps the others and starts at the first page", async () => {
    const { html } = await read("/categories/kites?kind=deal&rate=5&sort=newest&page=7");
    expect(textOf(html)).toContain("13 offers");
    expect(links(html)).toEqual(
      expect.arrayContaining([
        "/categories/kites?rate=5&sort=newest", // all kinds, and the chip that takes the kind away
        "/categories/kites?kind=deal&sort=newest",
        "/categories/kites?sort=newest", // clear all
      ]),
    );
    expect(textOf(html)).toContain("Remove Pays 5% or more");
    expect(html).toMatch(/<option value="5" selected="">/);
    expect(html).toContain('<meta name="robots" content="noindex"');
  });

  test("D4 D5 paging keeps the filters, and marks the previous and next page", async () => {
    const { html } = await read("/categories/kites?sort=ending");
    expect(html).toMatch(/<a[^>]*rel="next"[^>]*href="\/categories\/kites\?sort=ending&amp;page=2"/);
    const { html: second } = await read("/categories/kites?sort=ending&page=2");
    expect(second).toMatch(/<a[^>]*rel="prev"[^>]*href="\/categories\/kites\?sort=ending"/);
  });

  test("D5 where nothing matches, the page says so and how to go back", async () => {
    const { response, html } = await read("/categories/kites?kind=gift-card&rate=10");
    expect(response.status).toBe(200);
    expect(textOf(html)).toContain("No live offer in Kites fits what you chose");
    expect(links(html)).toContain("/categories/kites");
  });

  test.each(["kind=<script>", "rate=999", "kind=%00&rate=-5", "sort=;drop"])("D5 %s filters nothing", async (query) => {
    const { response, html } = await read(`/categories/kites?${query}`);
    expect(response.status).toBe(200);
    expect(textOf(html)).toContain("26 offers");
    expect(html).not.toContain("<script>&");
  });
});

describe("other listings", () => {
  test("D3 the A to Z is filtered by category and rate, and letters without a shop lead nowhere", async () => {
    const { html } = await read("/retailers?category=kites&rate=5");
    expect(textOf(html)).toContain("1 shop for what you chose");
    expect(html).toContain("Briskwind");
    expect(html).not.toContain("/retailers/aldergust");
    expect(html).toMatch(/<span[^>]*aria-disabled="true"[^>]*>A<\/span>/);
    expect(links(html)).toEqual(
      expect.arrayContaining(["#letter-b", "/retailers?rate=5", "/retailers?category=kites"]),
    );
    expect(textOf((await read("/retailers?kind=gift-card")).html)).toContain("No shop like that");
  });

  test("D2 a search keeps its query through kinds, categories and parts of the results", async () => {
    const { html } = await read("/search?q=kite&category=ropes");
    expect(textOf(html)).toContain("13 offers");
    expect(textOf(html)).toContain("Remove Ropes");
    expect(links(html)).toEqual(
      expect.arrayContaining(["/search?q=kite", "/search?q=kite&show=offers&category=ropes"]),
    );
    expect(links((await read("/search?q=kite&rate=2")).html)).toContain("/search?q=kite&kind=deal&rate=2");
    const { html: nothing } = await read("/search?q=kite&kind=gift-card");
    expect(textOf(nothing)).toContain("No offer for “kite” fits what you chose");
  });

  test("D1 a home page has the sections of its brand, in its order", async () => {
    const { html } = await read("/");
    const headings = [...html.slice(html.indexOf("<main")).matchAll(/<h2[^>]*>([^<]*)<\/h2>/g)].map(
      ([, words]) => words,
    );
    expect(headings.slice(0, 4)).toEqual(["Ending soon", "Browse by category", "Popular now", "Cashback at"]);
  });
});
