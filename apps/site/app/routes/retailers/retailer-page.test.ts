import { insertOffer, insertRetailer } from "@farthing/core/catalogue/catalogue.testing.ts";
import { insertNetwork } from "@farthing/core/testing/insert-network.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { expect, test } from "vitest";
import { loadSite, openClub, textOf } from "../../../testing/site.testing.ts";

const { db } = await testDatabase();
loadSite();

test("D3 D5 a retailer's page counts and reaches all live offers, however many and unpopular", async () => {
  const club = await openClub(db);
  const { id: networkId } = await insertNetwork(db);
  const { id: retailerId, slug } = await insertRetailer(db, { brandIds: [club.brand.id] });
  for (let popularity = 200; popularity > 0; popularity -= 1)
    await insertOffer(db, { networkId, retailerId, kind: "deal", title: `Deal ${popularity}`, popularity });
  await insertOffer(db, { networkId, retailerId, kind: "in_store", title: "At the till", popularity: 0 });
  const open = async (query = "") => await (await club.get(`/retailers/${slug}${query}`)).text();
  const titles = (html: string) => [...new Set(textOf(html).match(/\bDeal \d+|At the till/g))];

  const first = await open();
  expect(textOf(first)).toContain("201 live offers");
  expect(titles(first).slice(0, 2)).toEqual(["Deal 200", "Deal 199"]);
  expect(titles(first)).toHaveLength(24);
  expect(titles(await open("?kind=in-store"))).toEqual(["At the till"]);
  expect(textOf(await open("?kind=in-store"))).toContain("201 live offers");
  const last = titles(await open("?page=9"));
  expect([last[0], last.at(-1)]).toEqual(["Deal 8", "At the till"]);
});
