import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { afterAll, expect, test } from "vitest";
import { seedReference } from "../development/seed-reference.ts";

const { db, url } = await testDatabase();
await seedReference(db); // the generated catalogue names the demo's brands
const folder = mkdtempSync(path.join(tmpdir(), "farthing-commands-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const file = (name: string) => path.join(folder, name);
const files = [
  "--programmes",
  file("awin-programmes.json"),
  "--promotions",
  file("awin-promotions.json"),
  "--editorial",
  file("farthing-retailers.json"),
];

function command(name: string, ...args: string[]) {
  return commandOn(url, name, ...args);
}

function commandOn(databaseUrl: string, name: string, ...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [path.join(import.meta.dirname, name), ...args], {
    encoding: "utf8",
    env: { PATH: process.env["PATH"], DATABASE_URL: databaseUrl, DATA_DIR: folder },
  });
  return { status, stdout, stderr };
}

test("C2 A1 the commands generate a catalogue, check it, import it, and change nothing the second time", async () => {
  expect(command("generate-catalogue.ts", "--out", folder, "--now", "2026-11-20")).toMatchObject({
    status: 0,
    stderr: "",
  });

  const first = command("import-catalogue.ts", ...files);
  expect(first.stderr).toBe("");
  expect(first.stdout).toMatch(/awin-promotions\.json: 1100 records: 1100 created, 0 updated, 0 unchanged/);
  expect(first.stdout).toMatch(/Done, [\d.]+ s\n$/);
  // Those without an end can be searched on any day: over a hundred.
  expect((await db.selectFrom("search_offers").select("offer_id").execute()).length).toBeGreaterThan(100);

  const entries = async () =>
    (await db.selectFrom("audit_entries").selectAll().orderBy("seq").execute()).map(({ action, actor, after }) => {
      const { source_name: name, rows_created: rows } = after as Record<string, unknown>;
      return [action, actor.startsWith("command: "), name, rows];
    });
  const logged = await entries();
  expect(logged, "A1 one for each file").toEqual([
    ["catalogue-import.apply", true, "awin-programmes.json", expect.any(Number)],
    ["catalogue-import.apply", true, "awin-promotions.json", 1100],
    ["catalogue-import.apply", true, "farthing-retailers.json", expect.any(Number)],
  ]);
  expect(command("import-catalogue.ts", ...files)).toMatchObject({ status: 0 });

  const again = command("import-catalogue.ts", ...files, "--dry-run");
  expect(again.stdout).toMatch(
    /awin-promotions\.json: 1100 records: 0 would be created, 0 would be updated, 1100 unchanged/,
  );
  expect(again.stdout).toMatch(/Dry run: nothing was written/);
  expect(await entries(), "A1 none for files that change nothing").toEqual(logged);
});

test("C2 one page as the whole list is refused with the number that it would withdraw, until that number is confirmed", async () => {
  const page = file("awin-page.json");
  const all = JSON.parse(readFileSync(file("awin-promotions.json"), "utf8")) as unknown;
  const records = Array.isArray(all) ? all : (Object.values(all as object).find(Array.isArray) as unknown[]);
  const some = records.slice(0, 100);
  writeFileSync(page, JSON.stringify(Array.isArray(all) ? some : { ...(all as object), data: some }));
  const full = ["--promotions", page, "--full"];
  const live = async () => (await db.selectFrom("offers").select("id").where("status", "=", "live").execute()).length;
  const before = await live();

  const refused = command("import-catalogue.ts", ...full);
  expect(refused.status).toBe(1);
  const [, count] = /would withdraw (\d+) of the network's \d+ live offers/.exec(refused.stderr)!;
  expect(refused.stderr).toContain(`confirm the number with --withdraw ${count}`);
  expect(await live()).toBe(before);

  const dry = command("import-catalogue.ts", ...full, "--dry-run");
  expect(dry).toMatchObject({ status: 0, stdout: expect.stringContaining(`would withdraw ${count} of`) });
  expect(dry.stdout).toContain(`--withdraw ${count}`);
  for (const other of [Number(count) - 1, Number(count) + 1])
    expect(command("import-catalogue.ts", ...full, "--withdraw", String(other)).status).toBe(1);
  expect(command("import-catalogue.ts", ...full, "--withdraw", count!)).toMatchObject({ status: 0, stderr: "" });
  expect(await live()).toBe(before - Number(count));
});

test("C2 B5 an import makes no brand, also when it is refused: the demo's would answer at hosts of their own", async () => {
  const own = await testDatabase();
  const brands = () => own.db.selectFrom("brands").select("slug").execute();
  const accepted = commandOn(own.url, "import-catalogue.ts", "--programmes", file("awin-programmes.json"));
  expect(accepted).toMatchObject({ status: 0, stderr: "" });
  expect(await brands()).toEqual([]);
  writeFileSync(file("wrong.json"), "[{}]");
  expect(commandOn(own.url, "import-catalogue.ts", "--programmes", file("wrong.json")).status).toBe(1);
  expect(await brands()).toEqual([]);
});

test("C2 a broken file makes the command exit with 1 and list its errors by line", async () => {
  const text = readFileSync(file("awin-promotions.json"), "utf8").replace('"type":"voucher"', '"type":"coupon"');
  writeFileSync(file("broken.json"), text);
  const { status, stderr } = command("import-catalogue.ts", "--promotions", file("broken.json"));
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /Nothing was imported: 1 problem\.\n {2}broken\.json, line \d+ \(record \d+, id \d+\), type: must be "promotion" or "voucher"/,
  );
});

test.each([
  [["--promotions", "nowhere.json"], /There is no file nowhere\.json \(--promotions\)/],
  [[], /Name at least one file to import/],
  [["--editorial", "package.json", "--withdraw", "9"], /--withdraw takes the number of offers that --full withdraws/],
  [["--promotion", "x"], /Unknown option '--promotion'.*Usage/s],
])("C2 a wrong call prints the usage: %j", (args, message) => {
  const { status, stderr } = command("import-catalogue.ts", ...args);
  expect(status).toBe(1);
  expect(stderr).toMatch(message);
});

test("C2 a generator call with a wrong option says why", () => {
  expect(command("generate-catalogue.ts", "--out", folder, "--retailers", "3")).toMatchObject({
    status: 1,
    stderr: expect.stringMatching(/at least \d+ retailers/),
  });
});
