import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedBrands } from "@farthing/core/brands/seed-brands.server.ts";
import { seedMemberTypes } from "@farthing/core/member-types/reference-data/seed-member-types.server.ts";
import { catalogueRows } from "@farthing/core/catalogue-imports/catalogue-files.testing.ts";
import { importCatalogue } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import { fileSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { awinFeed } from "@farthing/providers/affiliates/awin/awin-feed.ts";
import { seedCatalogue } from "./seed-catalogue.server.ts";
import { writeCatalogueFiles } from "./write-catalogue-files.server.ts";

const { db } = await testDatabase();
const now = new Date("2026-11-20T10:00:00Z");
let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), "farthing-seed-"));
  await seedNetworks(db);
  await seedMemberTypes(db);
  await seedBrands(db);
});

afterAll(() => rm(dataDir, { recursive: true, force: true }));

const read = (name: string) => readFile(path.join(dataDir, "catalogue", name), "utf8");

test("P1 the demo catalogue is imported once, and the second run writes nothing to disk or database", async () => {
  expect(await seedCatalogue(db, { dataDir, now })).toEqual({ outcome: "imported" });
  const rows = await catalogueRows(db);
  expect({
    retailers: rows["retailers"]?.length,
    offers: rows["offers"]?.length,
    categories: rows["categories"]?.length,
  }).toEqual({ retailers: 240, offers: 1100, categories: 20 });
  const files = await read("awin-promotions.json");
  expect(await seedCatalogue(db, { dataDir, now: new Date("2026-11-21T10:00:00Z") })).toEqual({ outcome: "unchanged" });
  expect(await catalogueRows(db)).toEqual(rows);
  expect(await read("awin-promotions.json")).toBe(files);
});

test("C2 every network has its share of the demo's retailers, each with its own link and rates", async () => {
  const { rows } = await sql<{ slug: string; retailers: number; linked: number; rated: number }>`
    select network.slug, count(*)::int as retailers, count(programme.programme_link)::int as linked,
      count(*) filter (where exists (select from rate_tiers tier where tier.programme_id = programme.id and tier.member_rate_bp % 25 = 0
        or tier.programme_id = programme.id and tier.member_rate_pence % 25 = 0))::int as rated
    from programmes programme join networks network on network.id = programme.network_id
    where programme.is_preferred group by network.slug order by network.slug`.execute(db);
  expect(rows.map(({ slug }) => slug)).toEqual(["awin", "cj", "impact", "partnerize", "rakuten"]);
  for (const { slug, retailers, linked, rated } of rows) {
    expect(retailers, slug).toBeGreaterThan(35);
    expect(rated, slug).toBe(retailers);
    expect(linked, slug).toBe(slug === "impact" || slug === "partnerize" ? retailers : 0);
  }
});

test("P1 a database of an older edition, all of it on Awin, gets the networks without a second copy of any retailer", async () => {
  const { db: old } = await testDatabase();
  await seedNetworks(old);
  await seedMemberTypes(old);
  await seedBrands(old);
  const folder = path.join(dataDir, "old");
  await writeCatalogueFiles(folder, { seed: "farthing", now, retailers: 240, offers: 1100 });
  const file = (name: string) => fileSource(path.join(folder, name));
  await importCatalogue(old, {
    network: "awin",
    feed: awinFeed,
    now,
    programmes: file("awin-programmes.json"),
    promotions: file("awin-promotions.json"),
    editorial: file("farthing-retailers.json"),
  });
  const ids = () => old.selectFrom("offers").select(["id", "public_id"]).orderBy("id").execute();
  const before = await ids();
  expect(await seedCatalogue(old, { dataDir, now })).toEqual({ outcome: "imported" });
  expect(await ids()).toEqual(before);
  expect((await old.selectFrom("retailers").select("id").execute()).length).toBe(240);
  expect(await seedCatalogue(old, { dataDir, now })).toEqual({ outcome: "unchanged" });
});

test("P1 weeks later the demo's offers are moved to current dates under their old ids", async () => {
  const offer = () =>
    db
      .selectFrom("offers")
      .select(["public_id", "ends_at"])
      .where("network_offer_id", "=", "90000001")
      .executeTakeFirstOrThrow();
  const before = await offer();
  expect(await seedCatalogue(db, { dataDir, now: new Date("2027-03-01T10:00:00Z") })).toEqual({ outcome: "moved" });
  const after = await offer();
  expect(after.public_id).toBe(before.public_id);
  expect(after.ends_at!.getTime()).toBeGreaterThan(new Date("2027-03-01").getTime());
});

test("P1 a database unused for 60 days shows the same offers: dates move once, and edited dates stay", async () => {
  const [then, later] = [new Date("2027-03-01T10:00:00Z"), new Date("2027-04-30T10:00:00Z")];
  const shown = async (at: Date) => {
    const { rows } = await sql<{ offers: number; ending: number; boosts: number }>`
      select count(*) filter (where o.starts_at <= ${at} and (o.ends_at is null or o.ends_at > ${at})) as offers,
        count(*) filter (where o.ends_at > ${at} and o.ends_at < ${new Date(at.getTime() + 4 * 86_400_000)}) as ending,
        (select count(*) from boosts where starts_at <= ${at} and ends_at > ${at}) as boosts
      from offers o where o.status = 'live'`.execute(db);
    return rows[0]!;
  };
  const find = (id: string) =>
    db
      .selectFrom("offers")
      .select(["starts_at", "ends_at", "status", "title"])
      .where("network_offer_id", "=", id)
      .executeTakeFirstOrThrow();
  const change = (id: string, changes: { ends_at?: Date; status?: string; title?: string }) =>
    db.updateTable("offers").set(changes).where("network_offer_id", "=", id).execute();
  await change("90000004", { ends_at: new Date("2027-03-05T12:00:00Z") });
  await change("90000007", { status: "withdrawn", title: "Three for two on film tickets" });
  const own = await find("90000004");
  const before = await shown(then);
  expect(before.offers).toBeGreaterThan(800);
  expect(before.boosts).toBeGreaterThan(10);
  const left = await shown(later);
  expect(left.offers).toBeLessThan(before.offers * 0.8);
  expect(left.boosts).toBe(0);

  expect(await seedCatalogue(db, { dataDir, now: later })).toEqual({ outcome: "moved" });
  expect(await seedCatalogue(db, { dataDir, now: later })).toEqual({ outcome: "unchanged" });
  const after = await shown(later);
  expect(after.ending).toBe(before.ending);
  expect(after.boosts).toBe(before.boosts);
  expect(Math.abs(after.offers - before.offers)).toBeLessThanOrEqual(1);
  expect(await find("90000004"), "an edited end").toEqual(own);
  expect(await find("90000007")).toMatchObject({ status: "withdrawn", title: "Three for two on film tickets" });
  // Summer time began in between: an offer that ended at midnight still does.
  expect((await find("90000001")).ends_at!.toISOString()).toMatch(/T23:59:59/);
});

test("P1 files that are missing or left by a killed run are written again", async () => {
  await rm(path.join(dataDir, "catalogue", "awin-promotions.json"));
  await writeFile(path.join(dataDir, "catalogue", "made-for.json"), "{");
  await seedCatalogue(db, { dataDir, now: new Date("2027-03-01T10:00:00Z") });
  expect(JSON.parse(await read("awin-promotions.json")).data).toHaveLength(1100);
});

test("C2 a catalogue ten times as large is written, imported, and imported again without a change", async () => {
  const { db: empty } = await testDatabase();
  await seedNetworks(empty);
  await seedMemberTypes(empty);
  await seedBrands(empty);
  const folder = path.join(dataDir, "large");
  await writeCatalogueFiles(folder, { seed: "large", now, retailers: 1000, offers: 10_000 });
  const file = (name: string) => fileSource(path.join(folder, name));
  const request = {
    network: "awin",
    feed: awinFeed,
    now,
    programmes: file("awin-programmes.json"),
    promotions: file("awin-promotions.json"),
    editorial: file("farthing-retailers.json"),
  };
  const first = await importCatalogue(empty, request);
  expect(first.outcome).toBe("imported");
  const again = await importCatalogue(empty, request);
  expect(again.files.map(({ created, updated }) => ({ created, updated }))).toEqual(
    Array(3).fill({ created: 0, updated: 0 }),
  );
  expect(existsSync(path.join(folder, "made-for.json"))).toBe(false);
});
