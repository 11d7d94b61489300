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
