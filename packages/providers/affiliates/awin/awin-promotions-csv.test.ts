import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, expect, test } from "vitest";
import { importCatalogue } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import { describeProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import { textSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { awinFeed } from "./awin-feed.ts";
import { programme, programmesFile } from "./awin-files.testing.ts";

const { db } = await testDatabase();
const header =
  '"Promotion ID","Advertiser","Advertiser ID","Type","Code","Description","Starts","Ends","Categories","Regions","Terms","Deeplink Tracking","Deeplink","Commission Groups","Commission","Exclusive","Date Added","Title"';
const row = (
  id: string,
  different: { type?: string; code?: string; starts?: string; ends?: string; title?: string; advertiser?: string } = {},
) =>
  `"${id}","Shop 1","${different.advertiser ?? "1"}","${different.type ?? "Vouchers Only"}","${different.code ?? "TEN"}","Ten per cent off, or ""more""\nfor two","${different.starts ?? "01/07/2026 00:00:00"}","${different.ends ?? "31/12/2098 23:59:00"}","","","One use.","https://www.awin1.com/x","https://shop-1.example/offer","","","No","01/07/2026 09:00:00","${different.title ?? "10% off, today"}"`;

const now = new Date("2026-11-20T12:00:00Z");

beforeAll(async () => {
  await seedNetworks(db);
  await importCatalogue(db, {
    network: "awin",
    feed: awinFeed,
    now,
    programmes: textSource("programmes.json", programmesFile(programme(1))),
  });
});

async function importCsv(text: string, name = "promotions.csv") {
  const result = await importCatalogue(db, {
    network: "awin",
    feed: awinFeed,
    now,
    promotions: textSource(name, text),
  });
  return result.outcome === "refused" ? result.problems.map(describeProblem) : [];
}

test("C2 Awin's CSV export is read like its JSON: quotes, line ends within a field, London's time", async () => {
  expect(
    await importCsv(
      `\ufeff${header}\r\n${row("71")}\r\n${row("72", { type: "Promotions Only", code: "", ends: "" })}\r\n`,
    ),
  ).toEqual([]);
  const offers = await db
    .selectFrom("offers")
    .select(["network_offer_id", "kind", "title", "description", "headline", "starts_at", "ends_at"])
    .orderBy("network_offer_id")
    .execute();
  const common = {
    title: "10% off, today",
    description: 'Ten per cent off, or "more"\nfor two',
    headline: "10% off",
    starts_at: new Date("2026-06-30T23:00:00Z"),
  };
  expect(offers).toEqual([
    { network_offer_id: "71", kind: "code", ...common, ends_at: new Date("2098-12-31T23:59:00Z") },
    { network_offer_id: "72", kind: "deal", ...common, ends_at: null },
  ]);
  expect(await db.selectFrom("offer_codes").select("code").execute()).toEqual([{ code: "TEN" }]);
});

test("C2 an end without a time in Awin's CSV export is the promotion's last day in London", async () => {
  const dates = { starts: "30/11/2026", ends: "30/11/2026" };
  expect(await importCsv(`${header}\n${row("73", dates)}`)).toEqual([]);
  const offer = db.selectFrom("offers").select(["starts_at", "ends_at"]).where("network_offer_id", "=", "73");
  expect(await offer.execute()).toEqual([
    { starts_at: new Date("2026-11-30T00:00:00Z"), ends_at: new Date("2026-11-30T23:59:59Z") },
  ]);
});

test.each([
  [
    `${header}\n${row("81")}\n${row("82", { starts: "32/01/2026" })}`,
    "promotions.csv, line 4 (record 1, id 82), Starts: must be a real date and time such as 30/11/2026 23:59:00",
  ],
  [
    `${header}\n${row("81", { type: "Gift" })}`,
    'promotions.csv, line 2 (record 0, id 81), Type: must be "promotion" or "voucher"',
  ],
  [
    `${header}\n${row("81", { advertiser: "9" })}`,
    "promotions.csv, line 2 (record 0, id 81), advertiser.id: no programme 9 is known on this network; import the programmes file with it first",
  ],
  [
    `${header}\n${row("81")}\n${row("81")}`,
    "promotions.csv, line 4 (record 1, id 81): this id is already on line 2; remove one of the two",
  ],
  ["", "promotions.csv: The file is empty (0 bytes). Export it again as CSV in UTF-8."],
  ["id,name\n1,Shop", /line 1: The header lacks "Promotion ID", "Advertiser ID"/],
  [
    `${header}\n"81","Shop 1"`,
    "promotions.csv, line 2: This row can't be read: it has 2 cells, and the header has 18. Export it again as CSV in UTF-8.",
  ],
  [
    `${header}\n${row("81")}\n"82","cut off`,
    "promotions.csv, line 4: This row can't be read: a quotation mark is not closed, or stands within a cell. Export it again as CSV in UTF-8.",
  ],
])("C2 a broken CSV file is refused with its line: %#", async (text, problem) => {
  const problems = await importCsv(text);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatch(problem);
  expect(await db.selectFrom("offers").select("id").where("network_offer_id", "like", "8%").execute()).toEqual([]);
});

test("C2 a CSV file may mix line ends: each row is read, and a fault is named by its line", async () => {
  for (const [first, second] of [
    ["\r\n", "\n"],
    ["\n", "\r\n"],
  ])
    expect(
      await importCsv(
        `${header}${first}${row("91")}${second}${row("92")}${second}${row("93", { ends: "soon" })}${first}`,
      ),
    ).toEqual([
      "promotions.csv, line 6 (record 2, id 93), Ends: must be a real date and time such as 30/11/2026 23:59:00",
    ]);
});

test("C2 programmes in CSV are refused with a message that asks for JSON", async () => {
  const result = await importCatalogue(db, {
    network: "awin",
    feed: awinFeed,
    now,
    programmes: textSource("programmes.csv", "id\n1\n"),
  });
  expect(result.outcome === "refused" && result.problems.map(describeProblem)).toEqual([
    "programmes.csv: Only promotions can be imported from CSV. Export this file as JSON.",
  ]);
});
