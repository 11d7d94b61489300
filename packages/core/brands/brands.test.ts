import brandsJson from "@farthing/db/seeds/brands.json" with { type: "json" };
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { newId } from "@farthing/db/uuid.ts";
import { beforeAll, expect, test } from "vitest";
import { seedMemberTypes } from "../member-types/reference-data/seed-member-types.server.ts";
import type { Brand, MenuItem } from "./brand.ts";
import { buildMenu } from "./build-menu.ts";
import { canonicalOrigin } from "./canonical-origin.ts";
import { findMainHost } from "./main-host.server.ts";
import { findBrandByHost, findDefaultBrand, listBrands } from "./queries.server.ts";
import { saveBrand } from "./save-brand.server.ts";
import { seedBrands } from "./seed-brands.server.ts";

const { db } = await testDatabase();
const slugs = ["beaconry", "chalkside", "freshledge", "kindhold", "mustermark", "tillside", "tinrattle", "wardlight"];
let added: string[];

beforeAll(async () => {
  await seedMemberTypes(db);
  added = await seedBrands(db);
});

test("Z2 the eight brands are seeded, and each is found by its host", async () => {
  expect([...added].sort()).toEqual(slugs);
  for (const slug of slugs) expect((await findBrandByHost(db, `${slug}.localhost`))?.slug).toBe(slug);
});

test.each([
  ["localhost:3000", "chalkside"],
  ["127.0.0.1", "chalkside"],
  ["FreshLedge.LocalHost:4201", "freshledge"],
  ["wardlight.localhost.", "wardlight"],
  ["nobody.localhost", undefined],
  ["", undefined],
  ["chalkside.localhost/../x", undefined],
  ["' or 1=1 --", undefined],
  ["x".repeat(5000), undefined],
])("B1 the host %j leads to %s", async (host, slug) => {
  expect((await findBrandByHost(db, host))?.slug).toBe(slug);
});

test("U3 the canonical origin has the brand's main host, with the scheme and port of the request", async () => {
  const brand = await findBrandByHost(db, "wardlight.localhost");
  expect(brand?.mainHost).toBe("wardlight.localhost");
  for (const [used, named] of [
    ["http://wardlight.localhost:3000", "http://wardlight.localhost:3000"],
    ["http://192.168.1.5:3000", "http://wardlight.localhost:3000"],
    ["https://evil.example", "https://wardlight.localhost"],
    ["http://[::1]:8080", "http://wardlight.localhost:8080"],
  ] as const)
    expect(canonicalOrigin(brand!, used)).toBe(named);
  expect(canonicalOrigin({ mainHost: null }, "https://club.example")).toBe("https://club.example");
  const listed = (await listBrands(db)).map(async ({ id, mainHost }) => [mainHost, await findMainHost(db, id)]);
  for (const [ours, mails] of await Promise.all(listed)) expect(ours).toBe(mails);
});

test("B1 one brand is the default", async () => {
  expect((await findDefaultBrand(db))?.slug).toBe("chalkside");
});

test("Z1 M9 e-mails link to the hosts that npm start prints: localhost for the default brand, its own host for each other brand", async () => {
  const leadTo = async () =>
    Promise.all((await listBrands(db)).map(async ({ id, slug }) => [slug, await findMainHost(db, id)]));
  const expected = slugs.map((slug) => [slug, slug === "chalkside" ? "localhost" : `${slug}.localhost`]);
  expect(await leadTo()).toEqual(expected);
  // A database from before main hosts were named, and one where an operator has named another.
  await db.updateTable("brand_hosts").set({ is_main: false }).execute();
  await seedBrands(db);
  expect(await leadTo()).toEqual(expected);
  await db.updateTable("brand_hosts").set({ is_main: false }).where("host", "=", "localhost").execute();
  await db.updateTable("brand_hosts").set({ is_main: true }).where("host", "=", "chalkside.localhost").execute();
  await seedBrands(db);
  expect(Object.fromEntries(await leadTo())).toMatchObject({ chalkside: "chalkside.localhost" });
});

test("B3 a brand has everything that pages need", async () => {
  const brands = await listBrands(db);
  expect(brands.map((brand) => brand.slug)).toEqual(slugs);
  for (const brand of brands) {
    expect(brand).toMatchObject({ theme: brand.slug, supportEmail: `help@${brand.slug}.example` });
    expect(Object.values(brand.features).every((feature) => typeof feature === "boolean")).toBe(true);
    expect(brand.storeLinks.ios).toMatch(/^https:/);
    expect(brand.strapline.length).toBeGreaterThan(10);
    expect(brand.menu.length).toBeGreaterThan(3);
  }
  expect(new Set(brands.map((brand) => brand.affinityId)).size).toBe(8);
});

test("B3 M1 each brand sets who may join: students from 16, others from 18, in the UK and the Channel Islands", async () => {
  for (const brand of await listBrands(db))
    expect(brand.registration).toEqual({
      minimumAge: ["freshledge", "kindhold"].includes(brand.slug) ? 16 : 18, // students, and carers of sixteen
      residence: ["GB", "IM", "JE", "GG"],
    });
});

test("B5 a ninth brand has its theme's colours, and with an unknown theme those of the first theme", async () => {
  const ninth = {
    name: "Ninth",
    strapline: "",
    audience: "testers",
    support_email: "help@ninth.example",
  };
  await db
    .insertInto("brands")
    .values([
      { ...ninth, id: newId(), slug: "ninth", theme: "wardlight", affinity_id: "ninth" },
      { ...ninth, id: newId(), slug: "tenth", theme: "wardlihgt", affinity_id: "tenth" },
    ])
    .execute();
  const brands = await listBrands(db);
  const coloursOf = (slug: string) => brands.find((brand) => brand.slug === slug)?.colours;
  expect(coloursOf("ninth")).toEqual(coloursOf("wardlight"));
  expect(coloursOf("tenth")).toEqual(coloursOf("beaconry"));
  await db.deleteFrom("brands").where("slug", "in", ["ninth", "tenth"]).execute();
});

test("D6 menus have three levels and at most seven sections, and every link is a path", async () => {
  const depths = (items: MenuItem[]): number =>
    1 + Math.max(0, ...items.filter((item) => item.items).map((item) => depths(item.items!)));
  const hrefs = (items: MenuItem[]): string[] => items.flatMap((item) => [item.href, ...hrefs(item.items ?? [])]);
  for (const brand of await listBrands(db)) {
    expect(depths(brand.menu), brand.slug).toBe(3);
    expect(brand.menu.length).toBeLessThanOrEqual(7);
    for (const href of hrefs(brand.menu)) expect(href).toMatch(/^\/(categories|retailers)\/[a-z0-9-]+$/);
  }
});

test("B5 who closed a banner sees it again only when it says something else", async () => {
  const banner = async () => (await findBrandByHost(db, "freshledge.localhost"))?.banner;
  const seeded = (await banner())!;
  const save = (statement: object) => saveBrand(db, { slug: "freshledge", ...statement });
  await save({ strapline: "Made for students", banner: { href: seeded.href, text: seeded.text } });
  expect(await banner()).toEqual(seeded);
  await save({ banner: { text: "Exams are over", href: seeded.href } });
  const next = (await banner())!;
  expect(next).toEqual({ id: next.id, text: "Exams are over", href: seeded.href });
  expect(next.id).not.toBe(seeded.id);
  await save({ banner: { text: "Exams are over", href: "/faq" } });
  expect((await banner())?.id).not.toBe(next.id);
});

test("A2 an operator's changes survive the next seeding", async () => {
  await db
    .updateTable("brands")
    .set({ name: "Chalk & Side", banner: null, is_default: false })
    .where("slug", "=", "chalkside")
    .execute();
  await db.updateTable("brands").set({ is_default: true }).where("slug", "=", "wardlight").execute();
  await db.deleteFrom("brand_hosts").where("host", "=", "127.0.0.1").execute();
  await db.deleteFrom("brands").where("slug", "=", "tillside").execute();
  expect(await seedBrands(db)).toEqual(["tillside"]);
  const chalkside = (await findBrandByHost(db, "chalkside.localhost")) as Brand;
  expect({ name: chalkside.name, banner: chalkside.banner }).toEqual({ name: "Chalk & Side", banner: null });
  expect(await findBrandByHost(db, "127.0.0.1")).toBeNull();
  expect((await findDefaultBrand(db))?.slug).toBe("wardlight");
});

test("M1 each brand has its member types in order, and every brand has organisations", async () => {
  const rows = await db
    .selectFrom("brand_member_types as taken")
    .innerJoin("brands", "brands.id", "taken.brand_id")
    .innerJoin("member_types", "member_types.id", "taken.member_type_id")
    .select(["brands.slug as brand", "member_types.slug as type"])
    .orderBy("taken.position")
    .execute();
  for (const brand of brandsJson)
    expect(rows.filter((row) => row.brand === brand.slug).map((row) => row.type)).toEqual(brand.memberTypes);
  expect(rows.filter((row) => row.type === "organisation")).toHaveLength(8);
});

test("D6 a menu with an unknown category throws", () => {
  expect(() => buildMenu([{ label: "Lost", categories: ["nowhere"] }], [])).toThrow(/nowhere/);
});
