import { testDatabase } from "@farthing/db/testing/test-database.ts";
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
