import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedBrands } from "../../brands/seed-brands.server.ts";
import { seedMemberTypes } from "../../members/reference-data/seed-member-types.server.ts";
import { catalogueRows } from "../import/catalogue-files.testing.ts";
import { importCatalogue } from "../import/import-catalogue.server.ts";
import { fileSource } from "../import/import-source.server.ts";
import { seedNetworks } from "../import/seed-networks.server.ts";
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

test("P1 the demo catalogue goes in once; the second run writes nothing, to disk or database", async () => {
  expect(await seedCatalogue(db, { dataDir, now })).toEqual({ outcome: "imported" });
  const rows = await catalogueRows(db);
  expect([rows["retailers"]?.length, rows["offers"]?.length, rows["categories"]?.length]).toEqual([240, 1100, 20]);
  const files = await read("awin-promotions.json");
  expect(await seedCatalogue(db, { dataDir, now: new Date("2026-11-21T10:00:00Z") })).toEqual({ outcome: "unchanged" });
  expect(await catalogueRows(db)).toEqual(rows);
  expect(await read("awin-promotions.json")).toBe(files);
});

test("P1 weeks later the demo's offers are made current again, under their old addresses", async () => {
  const offer = () =>
    db
      .selectFrom("offers")
      .select(["public_id", "ends_at"])
      .where("network_offer_id", "=", "90000001")
      .executeTakeFirstOrThrow();
  const before = await offer();
  expect(await seedCatalogue(db, { dataDir, now: new Date("2027-03-01T10:00:00Z") })).toEqual({ outcome: "imported" });
  const after = await offer();
  expect(after.public_id).toBe(before.public_id);
  expect(after.ends_at!.getTime()).toBeGreaterThan(new Date("2027-03-01").getTime());
});

test("P1 files that are lost or were left behind by a killed run are made again", async () => {
  await rm(path.join(dataDir, "catalogue", "awin-promotions.json"));
  await writeFile(path.join(dataDir, "catalogue", "made-for.json"), "{");
  await seedCatalogue(db, { dataDir, now: new Date("2027-03-01T10:00:00Z") });
  expect(JSON.parse(await read("awin-promotions.json")).data).toHaveLength(1100);
});

test("C2 a catalogue ten times as large is made, imported and imported again without a change", async () => {
  const folder = path.join(dataDir, "large");
  await writeCatalogueFiles(folder, { seed: "large", now, retailers: 1000, offers: 10_000 });
  const file = (name: string) => fileSource(path.join(folder, name));
  const request = {
    network: "awin",
    programmes: file("awin-programmes.json"),
    promotions: file("awin-promotions.json"),
    editorial: file("farthing-retailers.json"),
  };
  const first = await importCatalogue(db, request);
  expect(first.outcome).toBe("imported");
  const again = await importCatalogue(db, request);
  expect(again.files.map(({ created, updated }) => ({ created, updated }))).toEqual(
    Array(3).fill({ created: 0, updated: 0 }),
  );
  expect(existsSync(path.join(folder, "made-for.json"))).toBe(false);
});
