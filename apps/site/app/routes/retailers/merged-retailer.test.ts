import { insertOffer, insertRetailer, NOW } from "@farthing/core/catalogue/catalogue.testing.ts";
import { findMerge } from "@farthing/core/catalogue/retailers/find-merge.server.ts";
import { mergeRetailers } from "@farthing/core/catalogue/retailers/merge-retailers.server.ts";
import { indexCatalogue } from "@farthing/core/search/index-catalogue.server.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { loadSite, openClub } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

async function merge(slug: string, into: string): Promise<void> {
  const { seen } = (await findMerge(db, { slug, into }))!;
  expect(await mergeRetailers(db, { slug, into, seen, now: NOW })).toEqual({ outcome: "merged" });
}

test("A2 the old address of a merged retailer leads to the one that stays, on every brand, in one step and with its filters", async () => {
  const clubs = [await openClub(db), await openClub(db)];
  const elsewhere = await openClub(db);
  const networkId = (await insertNetwork(db, { slug: "awin" })).id;
  const brandIds = clubs.map(({ brand }) => brand.id);
  const [first, second] = [
    await insertRetailer(db, { name: "Wickerbeck Cycles", brandIds }),
    await insertRetailer(db, { name: "Wickerbeck", brandIds }),
  ];
  // Shown by neither brand before: the merge brings the brands.
  const place = await insertRetailer(db, { name: "Thornapple Bikes" });
  const offer = await insertOffer(db, { networkId, retailerId: first.id, title: "A bell for nothing" });
  await merge(first.slug, second.slug);
  await merge(second.slug, place.slug);
  await indexCatalogue(db, { now: NOW });
  for (const club of clubs) {
    for (const { slug } of [first, second]) {
      const old = await club.get(`/retailers/${slug}?kind=codes&utm_source=mail`);
      expect([old.status, old.headers.get("location")]).toEqual([
        301,
        `/retailers/${place.slug}?kind=codes&utm_source=mail`,
      ]);
    }
    const page = await (await club.get(`/retailers/${place.slug}`)).text();
    expect(page).toContain("A bell for nothing");
    const shown = await club.get(`/offers/${offer.slug}?offer=${offer.publicId}`);
    expect([shown.status, (await shown.text()).includes(`href="/retailers/${place.slug}"`)]).toEqual([200, true]);
    const found = await (await club.get("/search?q=wickerbeck+cycles")).text();
    expect(found).toContain(`href="/retailers/${place.slug}"`);
    const listed = await (await club.get("/retailers")).text();
    for (const html of [page, found, listed]) expect(html).not.toMatch(/href="\/retailers\/wickerbeck/);
    expect(listed).toContain(`href="/retailers/${place.slug}"`);
  }
  expect((await elsewhere.get(`/retailers/${first.slug}`)).status, "a brand that does not show it").toBe(404);
});
