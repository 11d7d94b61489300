import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { recordEvents, telemetryEvent } from "@farthing/core/telemetry/telemetry.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { example } from "../../../docs/examples/fenced-blocks.ts";
import { ReportActionError, runReport } from "./report-actions.ts";

const { db } = await testDatabase();
const now = () => new Date("2026-11-20T10:00:00Z");
const run = (...words: string[]) => runReport({ db, clickhouse: null, now }, words);
const brand = "report-club";

beforeAll(async () => {
  const { id } = await insertBrand(db, { slug: brand });
  const terms = ["boots", "boots", "=HYPERLINK(1)", 'quote " and, comma', "\u001b[2Jclear"];
  await recordEvents(
    db,
    id,
    terms.map((term) => telemetryEvent("SearchPage", term)),
    new Date("2026-11-10T12:00:00Z"),
  );
  await recordEvents(db, id, [telemetryEvent("OfferPage", "o")], new Date("2026-10-01T12:00:00Z"));
});

test("T7 every command of docs/telemetry.md prints a table", async () => {
  const commands = example("docs/telemetry.md", "npm run report")
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("npm run report"));
  expect(commands.length).toBeGreaterThan(6);
  for (const command of commands) {
    const words = command
      .replace(/\s+#.*/, "")
      .replace("<brand>", brand)
      .split(" ")
      .slice(4);
    expect(await run(...words), command).toMatch(/^(\S[^\n]*\n)+$/);
  }
});

test("T7 the funnel is a table of steps, of the last 28 days unless a range is given", async () => {
  expect((await run("funnel")).split("\n")[1]).toMatch(/^Views of offers +0 +-$/);
  expect((await run("funnel", "--brand", brand, "--from", "2026-10-01", "--to", "2026-10-01")).split("\n")[1]).toMatch(
    /^Views of offers +1 +-$/,
  );
});

test("T7 CSV begins no formula with what visitors typed, and a terminal obeys none of it", async () => {
  const csv = await run("searches", "--csv");
  expect(csv.split("\r\n")).toEqual([
    "Brand,Term,Searches,Results,Looked up",
    `${brand},boots,2,,`,
    `${brand},\u001b[2jclear,1,,`,
    `${brand},'=hyperlink(1),1,,`,
    `${brand},"quote "" and, comma",1,,`,
    "",
  ]);
  expect(await run("searches", "--source", "rows")).not.toContain("\u001b");
});

test("T7 a rebuild says what it counted, and changes no report", async () => {
  const before = await run("searches");
  expect(await run("rebuild")).toMatch(/^Summed \d+ events anew/);
  expect(await run("searches")).toBe(before);
});

test.each([
  [["cake"], /There is no report "cake"[\s\S]*funnel/],
  [["toString"], /There is no report/],
  [["funnel", "more"], /npm run report/],
  [["funnel", "--brand", "nobody"], /There is no brand nobody/],
  [["funnel", "--from", "2026-02-30"], /--from 2026-02-30 is not a day/],
  [["funnel", "--from", "2026-11-02", "--to", "2026-11-01"], /is after/],
  [["funnel", "--max", "-1"], /--max -1 is not a whole number/],
  [["funnel", "--colour", "red"], /npm run report/],
  [["funnel", "--to"], /npm run report/],
  [["funnel", "--source", "memory"], /sums, rows, clickhouse/],
  [["funnel", "--source", "clickhouse"], /CLICKHOUSE_URL is not set/],
])("T7 %j is refused in words that help", async (words, expected) => {
  await expect(run(...words)).rejects.toThrow(ReportActionError);
  await expect(run(...words)).rejects.toThrow(expected);
});
