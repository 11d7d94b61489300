import {
  daysFromNow,
  insertCategory,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { findSitemapEntries } from "@farthing/core/sitemap/queries.server.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, describe, expect, test } from "vitest";
import { loadSite, openClub, builtSite, tag, type TestClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

/** As a network might send it: the end of the block, a comment that would hide one, a line separator. */
const HOSTILE = `</script><script>alert(1)</script><!--<script>\u2028"'&`;

let club: TestClub;
let paths: Record<"offer" | "hostileOffer" | "overOffer" | "retailer" | "hostileRetailer" | "category", string>;
beforeAll(async () => {
  club = await openClub(db);
  const { id: networkId } = await insertNetwork(db);
  const category = await insertCategory(db, "Kites");
  const shop = { brandIds: [club.brand.id], categoryIds: [category.id] };
  const retailer = await insertRetailer(db, { ...shop, name: "Briskwind" });
  const attacker = await insertRetailer(db, { ...shop, name: `Shop ${HOSTILE}`, shortInfo: HOSTILE });
  const programme = await insertProgramme(db, { networkId, retailerId: retailer.id });
  await insertRateTier(db, { programmeId: programme.id, bp: 500 });
  const made = async (retailerId: string, title: string, endsAt: Date) => {
    const offer = await insertOffer(db, {
      networkId,
      retailerId,
      title,
      headline: "",
      description: title,
      endsAt,
      categoryIds: [category.id],
    });
    return `/offers/${offer.slug}?offer=${offer.publicId}`;
  };
  paths = {
    offer: await made(retailer.id, "A kite for less", daysFromNow(9)),
    hostileOffer: await made(attacker.id, HOSTILE, daysFromNow(9)),
    overOffer: await made(retailer.id, "A kite of yesterday", daysFromNow(-1)),
    retailer: `/retailers/${retailer.slug}`,
    hostileRetailer: `/retailers/${attacker.slug}`,
    category: `/categories/${category.slug}`,
  };
  await indexCatalogue(db, { now: NOW });
});

const open = async (path: string, options: Parameters<TestClub["get"]>[1] = {}) =>
  (await club.get(path, options)).text();

interface Fact {
  "@context": string;
  "@type": string;
  [name: string]: unknown;
}

/** Returns the page's structured data; throws where a block is not JSON. */
const factsOf = (html: string) =>
  [...html.matchAll(/<script type="application\/ld\+json"[^>]*>(.*?)<\/script>/gs)].map(
    ([, text]) => JSON.parse(text ?? "") as Fact,
  );

const content = (html: string, name: string) =>
  /content="([^"]*)"/.exec(tag(html, "meta", `="${name}"`))?.[1]?.replaceAll("&amp;", "&") ?? null;
const canonical = (html: string) =>
  /href="([^"]*)"/.exec(tag(html, "link", 'rel="canonical"'))?.[1]?.replaceAll("&amp;", "&") ?? null;
const isHidden = (html: string) => content(html, "robots") === "noindex";

function addresses(facts: unknown): string[] {
  if (typeof facts === "string") return /^https?:|^\//.test(facts) ? [facts] : [];
  return typeof facts === "object" && facts !== null ? Object.values(facts).flatMap(addresses) : [];
}

describe("U3 structured data of pages", () => {
  test.each([
    ["home", () => "/", ["WebSite"]],
    ["a retailer", () => paths.retailer, ["BreadcrumbList", "ItemList"]],
    ["an offer", () => paths.offer, ["BreadcrumbList", "Offer"]],
    ["a category", () => paths.category, ["BreadcrumbList", "ItemList"]],
    ["an offer that is over", () => paths.overOffer, ["BreadcrumbList"]],
  ])("U3 %s", async (_, path, types) => {
    const facts = factsOf(await open(path()));
    expect(facts.map((fact) => fact["@type"]).sort()).toEqual(types);
    for (const { "@context": context, ...fact } of facts) {
      expect(context).toBe("https://schema.org");
      const all = addresses(fact);
      expect(all.length).toBeGreaterThan(0);
      for (const address of all) expect(address.startsWith(`http://${club.brand.slug}.localhost/`), address).toBe(true);
    }
  });

  test("U3 an offer names its end, its seller and its breadcrumbs", async () => {
    const facts = factsOf(await open(paths.offer));
    expect(facts.find((fact) => fact["@type"] === "Offer")).toMatchObject({
      name: "A kite for less",
      validThrough: daysFromNow(9).toISOString(),
      seller: { name: "Briskwind" },
    });
    const way = facts.find((fact) => fact["@type"] === "BreadcrumbList")?.["itemListElement"] as { name: string }[];
    expect(way.map(({ name }) => name)).toEqual(["Kites", "Briskwind", "A kite for less"]);
  });

  test.each(["hostileOffer", "hostileRetailer", "category"] as const)(
    "S1 a hostile title cannot end its block on %s",
    async (page) => {
      const html = await open(paths[page]);
      expect(html).not.toContain("<script>alert");
      expect(JSON.stringify(factsOf(html))).toContain("alert(1)");
    },
  );

  test("P3 structured data does not depend on who is signed in", async () => {
    const member = await club.newMember();
    for (const path of ["/", paths.retailer, paths.offer, paths.category]) {
      const html = await open(path, { member });
      expect(factsOf(html)).toEqual(factsOf(await open(path)));
      // Whole words: an id drawn at random may hold any three letters.
      const facts = JSON.stringify(factsOf(html));
      for (const personal of [member.name, member.email, member.id]) expect(facts).not.toContain(personal);
    }
  });
});

describe("U3 the head of a page", () => {
  test.each([
    ["/", () => "/"],
    ["a retailer", () => paths.retailer],
    ["an offer", () => paths.offer],
    ["a category", () => paths.category],
    ["the A to Z", () => "/retailers"],
    ["a search that found something", () => "/search?q=kite"],
    ["questions", () => "/faq"],
    ["joining", () => "/register"],
    ["partners", () => "/partners"],
  ])("U3 %s has a description, a canonical address and Open Graph properties", async (_, path) => {
    const html = await open(path());
    const address = `http://${club.brand.slug}.localhost${path()}`;
    expect(isHidden(html)).toBe(false);
    expect(canonical(html)).toBe(address);
    expect(content(html, "og:url")).toBe(address);
    expect(content(html, "description")?.length).toBeGreaterThan(20);
    expect(content(html, "description")?.length).toBeLessThanOrEqual(161);
    expect(content(html, "og:image")).toMatch(/^http:\/\/.+\/brand\/social\.png$/);
    expect(content(html, "og:image:alt")).toContain(club.brand.name);
    expect(content(html, "twitter:card")).toBe("summary_large_image");
    expect(content(html, "og:title")).toBeTruthy();
  });

  test("U3 the sorting of a list does not change its canonical address", async () => {
    expect(canonical(await open(`${paths.category}?sort=newest`))).toMatch(/\/categories\/[\w-]+$/);
    expect(canonical(await open("/search?q=kite&sort=newest"))).toMatch(/\/search\?q=kite$/);
  });

  test.each([
    ["a search that found nothing", () => "/search?q=qqqxzzzv"],
    ["a search for nothing", () => "/search"],
    ["a narrowed search", () => "/search?q=kite&kind=deal"],
    ["a narrowed category", () => `${paths.category}?rate=5`],
    ["an offer that is over", () => paths.overOffer],
    ["no offer", () => "/offers/nothing?offer=nope"],
    ["logging in", () => "/login"],
    ["no page", () => "/no-such-page"],
  ])("U3 %s is hidden from search engines and has no Open Graph properties", async (_, path) => {
    const html = await open(path());
    expect(isHidden(html)).toBe(true);
    expect(content(html, "og:image")).toBeNull();
  });

  test("U3 S1 at a host that is not the brand's, canonical and Open Graph addresses name the brand's own host", async () => {
    const site = builtSite(club.services);
    for (const path of ["/", paths.offer, paths.retailer, paths.category]) {
      const origin = "http://made-up.example:3000";
      const visit = { requestId: "test", brand: club.brand, member: null, nonce: "testing-nonce", origin };
      const html = await (await site(new Request(origin + path), visit)).text();
      expect(canonical(html)).toBe(`http://${club.brand.slug}.localhost:3000${path}`);
      expect(content(html, "og:url")).toBe(`http://${club.brand.slug}.localhost:3000${path}`);
      expect(html, path).not.toContain("made-up.example");
    }
  });

  test("U3 no page of the sitemap is hidden from search engines, and each is listed under its canonical address", async () => {
    const kinds = ["categories", "retailers", "offers"] as const;
    const all = await Promise.all(
      kinds.map((kind) => findSitemapEntries(db, { brandId: club.brand.id, now: NOW, kind, file: 1 })),
    );
    expect(all.flat().length).toBeGreaterThan(4);
    for (const { path } of all.flat()) {
      const html = await open(path);
      expect(isHidden(html), path).toBe(false);
      expect(canonical(html)).toBe(`http://${club.brand.slug}.localhost${path}`);
    }
  });
});
