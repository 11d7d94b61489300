import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  catalogueRows,
  editorialFile,
  editorialRetailer,
  importTexts,
  programme,
  promotion,
  recordsFile,
} from "./catalogue-files.testing.ts";
import { seedNetworks } from "./seed-networks.server.ts";

const { db } = await testDatabase();
let before: Record<string, unknown[]>;

beforeAll(async () => {
  await seedNetworks(db);
  const first = await importTexts(db, {
    programmes: recordsFile(programme(1), programme(2)),
    promotions: recordsFile(promotion(11, 1)),
    editorial: editorialFile([editorialRetailer("1")]),
  });
  expect(first.problems).toEqual([]);
});

beforeEach(async () => {
  before = await catalogueRows(db);
});

async function refusal(texts: Parameters<typeof importTexts>[1]): Promise<string[]> {
  const result = await importTexts(db, texts);
  expect(result.outcome).toBe("refused");
  expect(await catalogueRows(db), "nothing may change when a file is refused").toEqual(before);
  return result.problems;
}

const onCj = (networkProgrammeId: string) => ({
  ...{ network: "cj", networkProgrammeId, name: "X", currency: "GBP", landingUrl: "https://x.example/" },
  validDomains: [],
});

describe("C2 an editorial file is refused as a whole, with line, index, id and what to do", () => {
  const bad = (different: Record<string, unknown>) =>
    editorialFile([editorialRetailer("1"), editorialRetailer("2", different)]);
  const at = "editorial.json, line 7 (record 1, id 2)";
  test.each([
    [
      { categories: ["nothing"] },
      `${at}, categories: there is no category "nothing"; add it to the file's categories or correct it`,
    ],
    [{ categories: [] }, /categories: Too small/],
    [{ slug: "shop-1" }, `${at}, slug: "shop-1" is already the address of another retailer; choose another`],
    [{ slug: "Shop Two" }, `${at}, slug: must be lower-case letters, digits and single hyphens`],
    [{ popularty: 5 }, `${at}: has unknown keys (popularty); check their spelling`],
    [{ tracksWithinDays: { min: 5, max: 2 } }, `${at}, tracksWithinDays: max must not be less than min`],
    [
      { brands: { hiddenFrom: ["nowhere"] } },
      `${at}, brands: there is no brand "nowhere"; add the brand first or correct it`,
    ],
    [
      { tiers: [{ groupId: "77" }] },
      `${at}, groupId: the programme has no commission group 77; correct it or import the programmes file with it first`,
    ],
    [
      {
        boosts: [
          { groupId: "20", memberRatePence: 500, startsAt: "2026-01-01T00:00:00Z", endsAt: "2026-01-02T00:00:00Z" },
        ],
      },
      `${at}, boosts: the boost of group 20 is in the other unit: a percentage tier needs memberRateBp, a fixed one memberRatePence`,
    ],
    [
      {
        boosts: [
          { groupId: "20", memberRateBp: 500, startsAt: "2026-01-02T00:00:00Z", endsAt: "2026-01-01T00:00:00Z" },
        ],
      },
      `${at}, boosts: the boost of group 20 ends before it starts; correct startsAt or endsAt`,
    ],
    [
      { offers: [{ networkOfferId: "99" }] },
      `${at}, offers: no promotion 99 of this retailer is known on awin; import the promotions file with it first`,
    ],
    [
      { offers: [{ networkOfferId: "11" }] },
      `${at}, offers: no promotion 11 of this retailer is known on awin; import the promotions file with it first`,
    ],
    [
      {
        otherProgrammes: [
          {
            network: "moon",
            networkProgrammeId: "5",
            name: "X",
            currency: "GBP",
            landingUrl: "https://x.example/",
            validDomains: [],
          },
        ],
      },
      `${at}, otherProgrammes: there is no network "moon", or it is this file's own; correct it`,
    ],
    [
      { otherProgrammes: [onCj("5"), onCj("5")] },
      `${at}, otherProgrammes: programme 5 of the other network is named twice; remove one of the two`,
    ],
    [
      { tiers: [{ groupId: "20", basis: "net" }, { groupId: "20" }] },
      `${at}, tiers: group 20 is described twice; remove one of the two`,
    ],
  ])("%j", async (different, problem) => {
    const problems = await refusal({ editorial: bad(different) });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(problem);
  });

  test("C2 an unknown programme is refused", async () => {
    expect(await refusal({ editorial: editorialFile([editorialRetailer("404")]) })).toEqual([
      "editorial.json, line 6 (record 0, id 404), networkProgrammeId: no programme 404 is known on awin; import the programmes file with it first",
    ]);
  });

  test("C2 two retailers with the same programme on another network are refused", async () => {
    const shared = { otherProgrammes: [onCj("5")] };
    expect(
      await refusal({ editorial: editorialFile([editorialRetailer("1", shared), editorialRetailer("2", shared)]) }),
    ).toEqual([
      "editorial.json, line 6 (record 0, id 1), otherProgrammes: programme 5 of the other network is named twice; remove one of the two",
    ]);
  });

  test("C2 a code that is in a pool twice is refused", async () => {
    expect(
      await refusal({
        editorial: editorialFile([
          editorialRetailer("1", { offers: [{ networkOfferId: "11", codePool: ["A", "A"] }] }),
        ]),
      }),
    ).toEqual([
      "editorial.json, line 6 (record 0, id 1), offers.codePool: offer 11 has the same code twice in its pool; remove one of the two",
    ]);
  });
});

test("C2 a list under a name that every object inherits is an unknown list", async () => {
  expect(await refusal({ editorial: '{"constructor": [{}]}' })).toEqual([
    'editorial.json, line 1, constructor: found a list named "constructor" where "brands", "categories", "retailers" is expected. Check that this is the right kind of file.',
  ]);
});

test("C2 a problem in the last record of the last file rolls back all files", async () => {
  const problems = await refusal({
    programmes: recordsFile(programme(50), programme(51)),
    promotions: recordsFile(promotion(501, 50), promotion(502, 51)),
    editorial: editorialFile([editorialRetailer("50"), editorialRetailer("51", { status: "asleep" })]),
  });
  expect(problems).toHaveLength(1);
});

test("C2 the message about an unknown network lists the known ones", async () => {
  const result = await importTexts(db, { programmes: recordsFile(programme(1)) }, { network: "nowhere" });
  expect(result.problems).toEqual([
    'network: There is no network "nowhere". Known: awin, cj, impact, partnerize, rakuten.',
  ]);
});
