import {
  insertCategory,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
} from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, test } from "vitest";
import type { PageIslands } from "../../page-scripts-plugin.ts";
import { accessOf, pageEntries } from "../../pages.ts";
import { loadSite, openClub, type TestClub } from "../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

/** What a page may send a second time, beside its HTML: the props of its islands and its inline scripts. */
const MAX_TWICE_BYTES = 2_000;

let club: TestClub;
let categoryPath: string;
let offerPath: string;
beforeAll(async () => {
  club = await openClub(db);
  const network = await insertNetwork(db);
  const category = await insertCategory(db, "Boots");
  categoryPath = `/categories/${category.slug}`;
  const where = { brandIds: [club.brand.id], categoryIds: [category.id] };
  const retailer = await insertRetailer(db, { ...where, name: "Boot Barn", slug: "boot-barn" });
  const programme = await insertProgramme(db, { networkId: network.id, retailerId: retailer.id });
  await insertRateTier(db, { programmeId: programme.id, bp: 600 });
  const ids = { networkId: network.id, retailerId: retailer.id, programmeId: programme.id };
  for (let number = 1; number <= 24; number += 1)
    await insertOffer(db, { ...ids, title: `Boots ${number}`, headline: `${number}% off`, categoryIds: [category.id] });
  const offer = await insertOffer(db, { ...ids, kind: "code", title: "Boots with a code" });
  offerPath = `/offers/${offer.slug}?offer=${offer.publicId}`;
});

const plainPages = pageEntries.filter(([path]) => !path.includes(":"));
/** The islands of each route, as the byte budgets read them (bin/budgets.mjs). */
const readBuiltIslands = () =>
  JSON.parse(readFileSync(new URL("../../build/islands.json", import.meta.url), "utf8")) as PageIslands;

const decoded = (attribute: string) =>
  attribute.replaceAll("&quot;", '"').replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");

/** Returns the bytes of the props of a page's islands and of its inline scripts. JSON-LD is for search engines. */
function sentTwice(html: string): { props: number; scripts: number } {
  const bytes = (texts: string[]) => texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  const scripts = [...html.matchAll(/<script(?![^>]*(?:\bsrc=|ld\+json))[^>]*>([^]*?)<\/script>/g)];
  return {
    props: bytes([...html.matchAll(/ data-props="([^"]*)"/g)].map(([, props = ""]) => decoded(props))),
    scripts: bytes(scripts.map(([, text = ""]) => text)),
  };
}

describe("U2 P8 what a page sends twice", () => {
  test("U2 the pages that people browse have no island, and send nothing twice", async () => {
    const member = await club.newMember();
    for (const path of [
      "/",
      "/search?q=boots",
      "/retailers",
      "/retailers/boot-barn",
      categoryPath,
      "/partners",
      "/status",
      offerPath,
    ]) {
      for (const visit of [{}, { member }]) {
        const response = await club.get(path, visit);
        const html = await response.text();
        expect(response.status, path).toBe(200);
        expect(html, path).not.toContain("<site-island");
        expect(sentTwice(html).props, path).toBe(0);
        expect(sentTwice(html).scripts, `${path}: the inline scripts`).toBeLessThanOrEqual(MAX_TWICE_BYTES);
      }
    }
  });

  test.each(plainPages)("U2 %s sends at most 2 kB twice, and its budget counts its islands", async (path, facts) => {
    const member = { ...(await club.newMember()), authenticatedAt: NOW };
    const visit = accessOf(facts) === "visitor" ? {} : { member };
    const html = await (await club.get(path, visit)).text();
    const { props, scripts } = sentTwice(html);
    expect(props + scripts).toBeLessThanOrEqual(MAX_TWICE_BYTES);

    const built = readBuiltIslands();
    const counted = [...(built["root"] ?? []), ...(built[facts.file.replace(/\.tsx?$/, "")] ?? [])];
    for (const [, name] of html.matchAll(/<site-island name="([^"]+)"/g)) expect(counted).toContain(name);
  });

  test("U2 W9 the page in a partner's frame sends at most 2 kB twice", async () => {
    const widget = {
      sessionId: "0199f3c2-0000-7000-8000-000000000001",
      partner: { name: "Larder Lane", publicId: "larder" },
      origin: "https://shop.example",
      bearer: "b".repeat(86),
    };
    const html = await (await club.get("/pay", { widget })).text();
    expect(html).toContain('<site-island name="payment-form"');
    const { props, scripts } = sentTwice(html);
    expect(props + scripts).toBeLessThanOrEqual(MAX_TWICE_BYTES);
  });
});
