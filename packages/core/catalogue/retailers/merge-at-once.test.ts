import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { untilWaiting } from "@farthing/db/testing/until-waiting.ts";
import { expect, test } from "vitest";
import { joinTransaction } from "../../audit/join-transaction.server.ts";
import { keepImportsOut } from "../../catalogue-imports/import-lock.server.ts";
import { addFavourite } from "../../favourites/operations.server.ts";
import { findFavouriteKeys } from "../../favourites/queries.server.ts";
import { insertBrand } from "../../testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "../../testing/insert-member.testing.ts";
import { insertRetailer, NOW } from "../catalogue.testing.ts";
import { findMerge } from "./find-merge.server.ts";
import { findRetailerRecord } from "./find-retailer-record.server.ts";
import { mergeRetailers } from "./merge-retailers.server.ts";

// What happens beside a merge (A2) that is made but not committed yet.

const { db } = await testDatabase();

/** Two retailers of one brand, and what somebody has seen who is about to merge the first into the second, or the other way round. */
async function twins() {
  const brand = await insertBrand(db);
  const [a, b] = [
    await insertRetailer(db, { brandIds: [brand.id] }),
    await insertRetailer(db, { brandIds: [brand.id] }),
  ];
  const looked = async (slug: string, into: string) => {
    const seen = (await findMerge(db, { slug, into }))?.seen ?? "";
    return { slug, into, seen, now: NOW };
  };
  return { brandId: brand.id, a, b, there: await looked(a.slug, b.slug), back: await looked(b.slug, a.slug) };
}

test("A2 of two merges into each other at once, the later one waits, and is told that the other is made", async () => {
  const { a, b, there, back } = await twins();
  const one = await db.startTransaction().execute();
  expect(await mergeRetailers(joinTransaction(one), there)).toEqual({ outcome: "merged" });
  const other = mergeRetailers(db, back);
  await Promise.race([other, untilWaiting(db)]);
  await one.commit().execute();
  expect(await other).toEqual({ outcome: "already", slug: a.slug, place: b.slug });
  expect((await findRetailerRecord(db, { slug: b.slug }))?.mergedInto).toBeNull();
});

test("A2 a merge whose locks are being released is not taken for an import", async () => {
  const { there } = await twins();
  await db.transaction().execute(async (trx) => {
    expect(await keepImportsOut(trx)).toBe(true);
    expect(await mergeRetailers(db, there)).toEqual({ outcome: "merged" });
  });
});

test("A2 a favourite that is added to a retailer while it is merged goes to the one that stays", async () => {
  const { brandId, a, b, there } = await twins();
  const { id: memberId } = await insertVerifiedMember(db, { brandId });
  const one = await db.startTransaction().execute();
  expect(await mergeRetailers(joinTransaction(one), there)).toEqual({ outcome: "merged" });
  const adding = addFavourite(db, { brandId, memberId, favourite: { kind: "retailer", id: a.slug }, now: NOW });
  await Promise.race([adding, untilWaiting(db)]);
  await one.commit().execute();
  expect(await adding).toBe("added");
  expect(await findFavouriteKeys(db, { memberId })).toEqual([`retailer/${b.slug}`]);
});
