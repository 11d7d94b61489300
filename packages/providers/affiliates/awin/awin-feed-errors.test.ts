import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  catalogueRows,
  editorialFile,
  editorialRetailer,
  importTexts,
} from "@farthing/core/catalogue-imports/catalogue-files.testing.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { awinFeed } from "./awin-feed.ts";
import { programme, programmesFile, promotion, promotionsFile } from "./awin-files.testing.ts";

const { db } = await testDatabase();
let before: Record<string, unknown[]>;

beforeAll(async () => {
  await seedNetworks(db);
  const first = await importTexts(
    db,
    {
      programmes: programmesFile(programme(1), programme(2)),
      promotions: promotionsFile(promotion(11, 1)),
      editorial: editorialFile([editorialRetailer("1")]),
    },
    { feed: awinFeed },
  );
  expect(first.problems).toEqual([]);
});

beforeEach(async () => {
  before = await catalogueRows(db);
});

async function refusal(texts: Parameters<typeof importTexts>[1]): Promise<string[]> {
  const result = await importTexts(db, texts, { feed: awinFeed });
  expect(result.outcome).toBe("refused");
  expect(await catalogueRows(db), "nothing may change when a file is refused").toEqual(before);
  return result.problems;
}

describe("C2 a programmes file is refused as a whole, with line, index, id and what to do", () => {
  const bad = (different: Record<string, unknown>) => programmesFile(programme(7), programme(8, different));
  test.each([
    [{ id: undefined }, "programmes.json, line 3 (record 1), id: is missing"],
    [{ id: "eight" }, "programmes.json, line 3 (record 1, id eight), id: must be a whole number, as Awin gives it"],
    [{ name: "" }, "programmes.json, line 3 (record 1, id 8), name: must not be empty"],
    [
      { name: "n".repeat(81) },
      "programmes.json, line 3 (record 1, id 8), name: is 81 characters long; shorten it to at most 80",
    ],
    [{ name: 5 }, "programmes.json, line 3 (record 1, id 8), name: must be text in quotes"],
    [
      { name: "a\u0000b" },
      "programmes.json, line 3 (record 1, id 8), name: holds a character that can't be stored (NUL or half a surrogate pair); remove it",
    ],
    [
      { displayUrl: "javascript:alert(1)" },
      "programmes.json, line 3 (record 1, id 8), displayUrl: must be a full web address that starts with https:// or http://",
    ],
    [
      { displayUrl: "ftp://shop.example/" },
      "programmes.json, line 3 (record 1, id 8), displayUrl: must be a full web address that starts with https:// or http://",
    ],
    [
      { displayUrl: "https://user:secret@shop.example/" },
      "programmes.json, line 3 (record 1, id 8), displayUrl: must be a full web address that starts with https:// or http://",
    ],
    [
      { currencyCode: "pounds" },
      "programmes.json, line 3 (record 1, id 8), currencyCode: must be a three-letter currency code such as GBP",
    ],
    [
      { validDomains: [{ domain: "https://shop.example/x" }] },
      "programmes.json, line 3 (record 1, id 8), validDomains.0.domain: must be a host name such as www.example.com, without https:// or a path",
    ],
    [
      { commissionGroups: [{ groupId: 1, groupName: "All", type: "percentage", percentage: 101 }] },
      "programmes.json, line 3 (record 1, id 8), commissionGroups.0.percentage: must be at most 100",
    ],
    [
      { commissionGroups: [{ groupId: 1, groupName: "All", type: "points" }] },
      'programmes.json, line 3 (record 1, id 8), commissionGroups.0.type: must be "percentage" or "fix"',
    ],
    [
      { commissionGroups: [1, 1].map((groupId) => ({ groupId, groupName: "All", type: "percentage", percentage: 1 })) },
      "programmes.json, line 3 (record 1, id 8), commissionGroups.1: group 1 is listed twice; remove one of the two",
    ],
  ])("%j", async (different, problem) => {
    expect(await refusal({ programmes: bad(different) })).toEqual([problem]);
  });

  test("C2 an id that appears twice is refused", async () => {
    expect(await refusal({ programmes: programmesFile(programme(7), programme(8), programme(7)) })).toEqual([
      "programmes.json, line 4 (record 2, id 7): this id is already on line 2; remove one of the two",
    ]);
  });

  test("C2 all problems of a file are reported at once", async () => {
    expect(
      await refusal({
        programmes: programmesFile(programme(7, { name: "" }), programme(8, { currencyCode: 3 }), programme(9)),
      }),
    ).toHaveLength(2);
  });

  test("C2 a file with a thousand problems reports the first hundred and their number", async () => {
    const result = await importTexts(
      db,
      {
        programmes: programmesFile(...Array.from({ length: 1000 }, (_, index) => programme(index + 1, { name: 0 }))),
      },
      { feed: awinFeed },
    );
    expect({ kept: result.problems.length, counted: result.problemCount }).toEqual({ kept: 100, counted: 1000 });
  });
});

describe("C2 a promotions file is refused as a whole, with line, index, id and what to do", () => {
  const bad = (different: Record<string, unknown>) => promotionsFile(promotion(21, 1), promotion(22, 1, different));
  test.each([
    [{ title: "" }, "promotions.json, line 3 (record 1, id 22), title: must not be empty"],
    [
      { title: "t".repeat(201) },
      "promotions.json, line 3 (record 1, id 22), title: is 201 characters long; shorten it to at most 200",
    ],
    [{ type: "coupon" }, 'promotions.json, line 3 (record 1, id 22), type: must be "promotion" or "voucher"'],
    [
      { url: "//shop.example" },
      "promotions.json, line 3 (record 1, id 22), url: must be a full web address that starts with https:// or http://",
    ],
    [
      { url: "data:text/html,x" },
      "promotions.json, line 3 (record 1, id 22), url: must be a full web address that starts with https:// or http://",
    ],
    [
      { startDate: "yesterday" },
      "promotions.json, line 3 (record 1, id 22), startDate: must be a real date and time such as 2026-11-30T23:59:00+00:00",
    ],
    [
      { startDate: "2026-02-30T00:00:00+00:00" },
      "promotions.json, line 3 (record 1, id 22), startDate: must be a real date and time such as 2026-11-30T23:59:00+00:00",
    ],
    [{ startDate: undefined }, "promotions.json, line 3 (record 1, id 22), startDate: is missing"],
    [
      { startDate: "2026-05-02T00:00:00+00:00", endDate: "2026-05-01T00:00:00+00:00" },
      "promotions.json, line 3 (record 1, id 22), endDate: 2026-05-01T00:00:00+00:00 is not after startDate 2026-05-02T00:00:00+00:00; correct the dates",
    ],
    [
      { advertiser: { id: 999 } },
      "promotions.json, line 3 (record 1, id 22), advertiser.id: no programme 999 is known on this network; import the programmes file with it first",
    ],
    [{ advertiser: "Shop" }, "promotions.json, line 3 (record 1, id 22), advertiser: must be object, received string"],
    [
      { voucher: { code: "c".repeat(61) } },
      "promotions.json, line 3 (record 1, id 22), voucher.code: is 61 characters long; shorten it to at most 60",
    ],
  ])("%j", async (different, problem) => {
    expect(await refusal({ promotions: bad(different) })).toEqual([problem]);
  });

  test("C2 an id that appears twice is refused", async () => {
    expect(await refusal({ promotions: promotionsFile(promotion(21, 1), promotion(21, 2)) })).toEqual([
      "promotions.json, line 3 (record 1, id 21): this id is already on line 2; remove one of the two",
    ]);
  });

  test.each([
    ["", "promotions.json: The file is empty (0 bytes). Download or export it again."],
    [
      "[]",
      "promotions.json: The file contains no records. An empty list would change nothing; check that it is the right file.",
    ],
    [editorialFile([editorialRetailer("1")]), /line 3, categories: found a list named "categories" where/],
    [promotionsFile(promotion(21, 1)).slice(0, 300), /line 2: The file was cut off/],
    ["promotionId,title", /not a JSON file/],
  ])("C2 a file that is not a promotions file is refused: %#", async (text, problem) => {
    const problems = await refusal({ promotions: text });
    expect(problems[0]).toMatch(problem);
  });
});
