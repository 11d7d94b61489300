import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { seedReference } from "@farthing/server/development/seed-reference.ts";
import { describe, expect, test } from "vitest";
import { example } from "./fenced-blocks.ts";
import { runShell, temporaryFolder } from "./run-example.testing.ts";

// The commands and sample files of docs/catalogue-import.md, and the import of docs/operations/brands.md.

const IMPORT = "docs/catalogue-import.md";
const BRANDS = "docs/operations/brands.md";
const folder = temporaryFolder();

describe("docs/catalogue-import.md", () => {
  test("C2 a generated catalogue is checked in a dry run, then imported for a brand with a menu", async () => {
    const { db, url } = await testDatabase();
    await seedReference(db); // as the first npm start does
    const env = { DATABASE_URL: url, DATA_DIR: folder };
    const catalogue = join(folder, "my-catalogue");
    await runShell(example(BRANDS, '--name "Village Club"'), { cwd: folder, env });

    const generateAndCheck = example(IMPORT, "catalogue:generate").replaceAll("./my-catalogue", catalogue);
    const checked = await runShell(generateAndCheck, { cwd: folder, env });
    expect(checked).toContain("Dry run: nothing was written");

    const given = join(folder, "given");
    mkdirSync(given);
    for (const [made, named] of [
      ["awin-programmes", "programmes"],
      ["awin-promotions", "promotions"],
      ["farthing-retailers", "retailers"],
    ])
      renameSync(join(catalogue, `${made}.json`), join(given, `${named}.json`));
    const importing = example(BRANDS, "catalogue:import").replaceAll(
      /\b(programmes|promotions|retailers)\.json/g,
      join(given, "$1.json"),
    );
    expect(await runShell(importing, { cwd: folder, env })).toMatch(/^Done, /m);
  });

  test("C2 an import accepts the sample records", async () => {
    const { db, url } = await testDatabase();
    await seedReference(db);
    const samples = {
      programmes: `[${example(IMPORT, '"commissionGroups"')}]`,
      promotions: `[${example(IMPORT, '"promotionId"')}]`,
      editorial: example(IMPORT, '"retailers"'),
    };
    const options = Object.entries(samples).map(([option, text]) => {
      const file = join(folder, `${option}-sample.json`);
      writeFileSync(file, text);
      return `--${option} ${file}`;
    });
    const command = `npm run catalogue:import -- --network awin ${options.join(" ")}`;
    const env = { DATABASE_URL: url, DATA_DIR: folder };
    expect(await runShell(command, { cwd: folder, env })).toMatch(/^Done, /m);
    const offer = await db
      .selectFrom("offers")
      .select(["headline", "kind"])
      .where("network_offer_id", "=", "90000001")
      .executeTakeFirstOrThrow();
    expect(offer).toEqual({ headline: "15% off", kind: "in_store" });
  });

  test("C2 an import accepts CJ's sample of XML", async () => {
    const { db, url } = await testDatabase();
    await seedReference(db);
    const [programmes, promotions] = ["cj-programmes.xml", "cj-links.xml"].map((name) => join(folder, name));
    writeFileSync(
      programmes!,
      "<cj-api><advertisers><advertiser><advertiser-id>10007</advertiser-id><advertiser-name>Fernhollow Boots</advertiser-name>" +
        "<program-url>https://fernhollow-boots.example/</program-url></advertiser></advertisers></cj-api>",
    );
    writeFileSync(promotions!, example(IMPORT, "<cj-api>"));
    const command = `npm run catalogue:import -- --network cj --programmes ${programmes} --promotions ${promotions}`;
    expect(await runShell(command, { cwd: folder, env: { DATABASE_URL: url, DATA_DIR: folder } })).toMatch(/^Done, /m);
    const offer = await db
      .selectFrom("offers")
      .select(["title", "ends_at"])
      .where("network_offer_id", "=", "90000101")
      .executeTakeFirstOrThrow();
    expect(offer).toEqual({ title: "15% off walking boots & socks", ends_at: null });
  });
});
