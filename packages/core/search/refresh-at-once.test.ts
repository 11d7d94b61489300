import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { joinTransaction } from "../audit/join-transaction.server.ts";
import { insertOffer, insertRetailer, NOW } from "../catalogue/catalogue.testing.ts";
import { changeOffer, setOfferStatus } from "../catalogue/offers/change-offer.server.ts";
import { findOfferRecord } from "../catalogue/offers/find-offer-record.server.ts";
import { changeRetailer } from "../catalogue/retailers/change-retailer.server.ts";
import { findRetailerRecord } from "../catalogue/retailers/find-retailer-record.server.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import { indexCatalogue } from "./index-catalogue.server.ts";

// What happens beside a change of the search documents that is made but not committed yet.

const { db } = await testDatabase();
const { id: brandId } = await insertBrand(db);
const { id: networkId } = await insertNetwork(db);

async function newOffer() {
  const retailer = await insertRetailer(db, { brandIds: [brandId] });
  return { retailer, offer: await insertOffer(db, { networkId, retailerId: retailer.id, title: "Old words" }) };
}

/** Begins a transaction, which is rolled back where the test fails. */
async function begin() {
  const trx = await db.startTransaction().execute();
  onTestFinished(async () => {
    if (!trx.isCommitted) await trx.rollback().execute();
  });
  return { joined: joinTransaction(trx), commit: () => trx.commit().execute() };
}

async function retitle(publicId: string, title: string) {
  const record = (await findOfferRecord(db, { publicId }))!;
  return await changeOffer(db, { publicId, seen: record.fingerprint, form: { ...record, title }, now: NOW });
}

async function rename(joined: typeof db, slug: string, name: string) {
  const record = (await findRetailerRecord(joined, { slug }))!;
  return await changeRetailer(joined, { slug, seen: record.fingerprint, form: { ...record, name }, now: NOW });
}

/** The words that an offer is found by; null: it is not found. */
async function wordsOf(offerId: string): Promise<string | null> {
  const { rows } = await sql<{ words: string }>`
    select array_to_string(tsvector_to_array(document), ' ') as words from search_offers where offer_id = ${offerId}`.execute(
    db,
  );
  return rows[0]?.words ?? null;
}

test("D2 an offer is saved while the index adds its document, and is found by its new words", async () => {
  const { offer } = await newOffer();
  const index = await begin();
  await indexCatalogue(index.joined, { now: NOW });
  const saving = retitle(offer.publicId, "Fresh letters");
  saving.catch(() => {}); // reported below
  await Promise.race([saving, untilWaiting(db)]);
  await index.commit();
  expect(await saving).toEqual({ outcome: "changed" });
  expect(await wordsOf(offer.id)).toMatch(/fresh.*letter/);
});

test("D2 an offer is withdrawn while the index adds its document, and is found no more", async () => {
  const { offer } = await newOffer();
  const index = await begin();
  await indexCatalogue(index.joined, { now: NOW });
  const withdrawing = setOfferStatus(db, { publicId: offer.publicId, status: "withdrawn", now: NOW });
  withdrawing.catch(() => {}); // reported below
  await Promise.race([withdrawing, untilWaiting(db)]);
  await index.commit();
  expect(await withdrawing).toBe(true);
  expect(await wordsOf(offer.id)).toBeNull();
});

test("D2 a retailer is saved while the index adds its offer's document, and the offer is found by the new name", async () => {
  const retailer = await insertRetailer(db, { brandIds: [brandId] });
  await indexCatalogue(db, { now: NOW });
  const offer = await insertOffer(db, { networkId, retailerId: retailer.id, title: "Old words" });
  const index = await begin();
  await indexCatalogue(index.joined, { now: NOW });
  const renaming = rename(db, retailer.slug, "Quince");
  renaming.catch(() => {}); // reported below
  await Promise.race([renaming, untilWaiting(db)]);
  await index.commit();
  expect(await renaming).toEqual({ outcome: "changed" });
  expect(await wordsOf(offer.id)).toContain("quinc");
});

test("D2 an offer is withdrawn while its retailer is saved, and is found no more", async () => {
  const { retailer, offer } = await newOffer();
  await indexCatalogue(db, { now: NOW });
  const save = await begin();
  expect(await rename(save.joined, retailer.slug, "Renamed")).toEqual({ outcome: "changed" });
  const withdrawing = setOfferStatus(db, { publicId: offer.publicId, status: "withdrawn", now: NOW });
  withdrawing.catch(() => {}); // reported below
  await Promise.race([withdrawing, untilWaiting(db)]);
  await save.commit();
  expect(await withdrawing).toBe(true);
  expect(await wordsOf(offer.id)).toBeNull();
});

test("D2 an offer is saved while its retailer is saved, and is found by the words of both", async () => {
  const { retailer, offer } = await newOffer();
  await indexCatalogue(db, { now: NOW });
  const save = await begin();
  expect(await rename(save.joined, retailer.slug, "Quince")).toEqual({ outcome: "changed" });
  const saving = retitle(offer.publicId, "Fresh letters");
  saving.catch(() => {}); // reported below
  await Promise.race([saving, untilWaiting(db)]);
  await save.commit();
  expect(await saving).toEqual({ outcome: "changed" });
  expect(await wordsOf(offer.id)).toMatch(/fresh.*letter.*quinc/);
});

test("D2 a retailer is saved while one of its offers is saved, and the offer is found by the words of both", async () => {
  const { retailer, offer } = await newOffer();
  await indexCatalogue(db, { now: NOW });
  const save = await begin();
  const record = (await findOfferRecord(db, { publicId: offer.publicId }))!;
  const { publicId } = offer;
  const form = { ...record, title: "Fresh letters" };
  expect(await changeOffer(save.joined, { publicId, seen: record.fingerprint, form, now: NOW })).toEqual({
    outcome: "changed",
  });
  const renaming = rename(db, retailer.slug, "Quince");
  renaming.catch(() => {}); // reported below
  await Promise.race([renaming, untilWaiting(db)]);
  await save.commit();
  expect(await renaming).toEqual({ outcome: "changed" });
  expect(await wordsOf(offer.id)).toMatch(/fresh.*letter.*quinc/);
});
