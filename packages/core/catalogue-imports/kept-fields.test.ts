import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { changeOffer, releaseOffer, setOfferStatus } from "../catalogue/offers/change-offer.server.ts";
import { findOfferRecord } from "../catalogue/offers/find-offer-record.server.ts";
import {
  editorialFile,
  editorialRetailer,
  importTexts,
  programme,
  promotion,
  recordsFile,
} from "./catalogue-files.testing.ts";
import { seedNetworks } from "./seed-networks.server.ts";

const { db } = await testDatabase();
await seedNetworks(db);
const NOW = new Date("2026-11-20T12:00:00Z");

const editorial = (different: object) =>
  editorialFile([editorialRetailer("1", { offers: [{ networkOfferId: "11", ...different }] })]);

test("A2 what operators set of an imported offer survives every import, until they give it back", async () => {
  const first = {
    programmes: recordsFile(programme(1)),
    promotions: recordsFile(promotion(11, 1)),
    editorial: editorial({ exclusions: "Not on boots.", popularity: 5, variants: [{ label: "Online" }] }),
  };
  expect((await importTexts(db, first)).problems).toEqual([]);
  const { public_id: publicId } = await db.selectFrom("offers").select("public_id").executeTakeFirstOrThrow();
  const record = async () => (await findOfferRecord(db, { publicId }))!;
  const before = await record();
  const form = {
    ...before,
    ...{ title: "A title of ours", headline: "Ours", code: "OURS", terms: "Our terms.", exclusions: "Nothing." },
    ...{ endsAt: new Date("2027-01-01T00:00:00Z"), popularity: 9, categories: [], kind: "deal" as const },
    variants: [{ label: "By post", landingUrl: null }],
  };
  expect(await changeOffer(db, { publicId, seen: before.fingerprint, form, now: NOW })).toEqual({ outcome: "changed" });
  await setOfferStatus(db, { publicId, status: "withdrawn", now: NOW });
  const ours = await record();

  const second = {
    promotions: recordsFile(
      promotion(11, 1, {
        title: "Theirs",
        code: "THEIRS",
        terms: "Their terms.",
        description: "New words.",
        endsAt: "2098-01-01T00:00:00Z",
      }),
    ),
    editorial: editorial({
      headline: "Theirs",
      exclusions: "Everything.",
      popularity: 1,
      kind: "code",
      variants: [{ label: "In store" }],
    }),
  };
  expect((await importTexts(db, second)).problems).toEqual([]);
  const { description, fingerprint: _new, changedAt: _changed, ...rest } = await record();
  const { description: _words, fingerprint: _old, changedAt: _then, ...kept } = ours;
  expect(description, "what nobody set is the network's").toBe("New words.");
  expect(rest).toEqual(kept);

  expect(await releaseOffer(db, { publicId, now: NOW })).toBe(true);
  await importTexts(db, second);
  expect(await record()).toMatchObject({
    ...{
      status: "live",
      title: "Theirs",
      headline: "Theirs",
      code: "THEIRS",
      terms: "Their terms.",
      exclusions: "Everything.",
    },
    ...{ popularity: 1, kind: "code", kept: [], variants: [{ label: "In store", landingUrl: null }] },
  });
});

test("A2 a date that operators keep and the file's other one that make no period leave the offer's dates, with a warning", async () => {
  const dates = (startsAt: string, endsAt: string) => ({
    startsAt: `${startsAt}T00:00:00Z`,
    endsAt: `${endsAt}T00:00:00Z`,
  });
  const file = (period: object, title: string) => ({
    programmes: recordsFile(programme(3)),
    promotions: recordsFile(
      ...[31, 32, 33].map((id) => promotion(id, 3, { ...period, title: `10% off ${title} ${id}` })),
    ),
  });
  expect((await importTexts(db, file(dates("2026-11-01", "2026-12-01"), "now"))).problems).toEqual([]);
  const keep = (id: number, kept: string) =>
    db
      .updateTable("offers")
      .set({ kept: [kept] })
      .where("network_offer_id", "=", String(id))
      .execute();
  await keep(31, "ends_at");
  await keep(32, "starts_at");
  const stored = async () =>
    (
      await db
        .selectFrom("offers")
        .select(["network_offer_id", "title", "starts_at", "ends_at"])
        .where("network_offer_id", "like", "3_")
        .orderBy("network_offer_id")
        .execute()
    ).map(({ network_offer_id: id, title, starts_at: starts, ends_at: ends }) =>
      [id, title, starts.toISOString().slice(0, 10), ends?.toISOString().slice(0, 10)].join(" "),
    );

  const later = await importTexts(db, file(dates("2026-12-01", "2027-01-01"), "later"));
  expect(later.problems).toEqual([]);
  expect(later.files.flatMap(({ warnings }) => warnings)).toEqual([
    "promotions.json, line 2, id 31: startsAt 2026-12-01T00:00:00Z is not before the end that an operator has set. The offer's dates stay as they are; correct them in the admin",
  ]);
  expect(await stored()).toEqual([
    "31 10% off later 31 2026-11-01 2026-12-01",
    "32 10% off later 32 2026-11-01 2027-01-01",
    "33 10% off later 33 2026-12-01 2027-01-01",
  ]);

  const earlier = await importTexts(db, file(dates("2026-10-01", "2026-10-15"), "earlier"));
  expect(earlier.problems).toEqual([]);
  expect(earlier.files.flatMap(({ warnings }) => warnings)).toEqual([
    "promotions.json, line 3, id 32: endsAt 2026-10-15T00:00:00Z is not after the start that an operator has set. The offer's dates stay as they are; correct them in the admin",
  ]);
  expect(await stored()).toEqual([
    "31 10% off earlier 31 2026-10-01 2026-12-01",
    "32 10% off earlier 32 2026-11-01 2027-01-01",
    "33 10% off earlier 33 2026-10-01 2026-10-15",
  ]);
});

const ratesOf = async () =>
  (
    await sql<object>`select basis, cap_pence as cap, kept, array(select b.member_rate_bp
      from boosts b where b.rate_tier_id = t.id order by b.starts_at) as boosts from rate_tiers t
      join programmes p on p.id = t.programme_id where p.network_programme_id = '4' order by t.position`.execute(db)
  ).rows;
const GROUP = { groupId: "40", label: "Everything", kind: "percent", rateBp: 750 } as const;
const OTHER_GROUP = { groupId: "41", label: "Sale items", kind: "percent", rateBp: 300 } as const;
const rates = (capPence: number, basis: string, memberRateBp: number) => ({
  tiers: ["40", "41"].map((groupId) => ({ groupId, capPence, basis })),
  boosts: ["40", "41"].map((groupId) => ({ groupId, memberRateBp, startsAt: "2026-12-01", endsAt: "2026-12-03" })),
});
const ratesFile = (...given: Parameters<typeof rates>) => ({
  editorial: editorialFile([editorialRetailer("4", rates(...given))]),
});

test("A2 C5 what operators set of a rate survives both files, part by part; a rate that nobody set is the file's", async () => {
  const groups = (rateBp: number) => ({ commissionGroups: [{ ...GROUP, rateBp }, OTHER_GROUP] });
  const programmes = recordsFile(programme(4, groups(750)));
  expect((await importTexts(db, { programmes, ...ratesFile(1000, "on the price", 900) })).problems).toEqual([]);
  const keep = async (kept: string[]) => {
    await sql`update rate_tiers set kept = ${kept} where network_group_id = '40'`.execute(db);
    expect((await importTexts(db, ratesFile(2000, "on the whole price", 950))).problems).toEqual([]);
    const [first, second] = await ratesOf();
    expect(second).toEqual({ basis: "on the whole price", cap: 2000, kept: [], boosts: [950] });
    await importTexts(db, ratesFile(1000, "on the price", 900));
    return first;
  };
  const [theirs] = await ratesOf();
  expect(theirs).toEqual({ basis: "on the price", cap: 1000, kept: [], boosts: [900] });
  const changed = { basis: "on the whole price", cap: 2000, boosts: [950] };
  expect(await keep(["basis"])).toEqual({ ...changed, kept: ["basis"], basis: "on the price" });
  expect(await keep(["cap_pence"])).toEqual({ ...changed, kept: ["cap_pence"], cap: 1000 });
  expect(await keep(["boosts"])).toEqual({ ...changed, kept: ["boosts"], boosts: [900] });
  const all = ["basis", "boosts", "cap_pence"];
  expect(await keep(all)).toEqual({ ...theirs, kept: all });

  const without = editorialFile([editorialRetailer("4")]);
  await importTexts(db, { programmes: recordsFile(programme(4, groups(800))), editorial: without });
  expect(await ratesOf(), "the file has no boosts").toMatchObject([
    { ...theirs, kept: all },
    { basis: "on the price", boosts: [] },
  ]);
});

test("A2 a group that the network drops takes what operators set of its rate with it, and the import says so", async () => {
  const programmes = recordsFile(programme(4, { commissionGroups: [OTHER_GROUP] }));
  const { files } = await importTexts(db, { programmes });
  expect(files.flatMap(({ warnings }) => warnings)).toEqual([
    'programmes.json, line 2, id 4: the rate "Everything" leaves with the cap, the words or the boosts that an operator has set, because the file has no such group',
  ]);
});
