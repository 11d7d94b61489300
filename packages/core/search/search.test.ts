import { testDatabase } from "@farthing/db/testing/test-database.ts";
import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import {
  daysFromNow,
  insertCategory,
  insertOffer,
  insertProgramme,
  insertRateTier,
  insertRetailer,
  NOW,
  type NewOffer,
  type NewRetailer,
} from "../catalogue/catalogue.testing.ts";
import { insertBrand } from "../testing/insert-brand.testing.ts";
import { insertNetwork } from "../testing/insert-network.testing.ts";
import type { SearchPage } from "../catalogue/catalogue-view.ts";
import { indexCatalogue } from "./index-catalogue.server.ts";
import { searchCatalogue, suggest } from "./queries.server.ts";
import { refreshOffers } from "./refresh-offers.server.ts";

const { db, pool } = await testDatabase();

let brandId: string;
let otherBrandId: string;
let networkId: string;
const shops: Record<string, { id: string; slug: string; name: string }> = {};
const shelves: Record<string, string> = {};

beforeAll(async () => {
  brandId = (await insertBrand(db)).id;
  otherBrandId = (await insertBrand(db)).id;
  networkId = (await insertNetwork(db)).id;
  for (const name of ["Home & furniture", "Shoes & bags", "Holidays & flights"])
    shelves[name] = (await insertCategory(db, name)).id;
  await addShop("Mossgate Sofas", { popularity: 40 }, "Home & furniture");
  await addShop("Fernhollow Boots", { popularity: 60 }, "Shoes & bags");
  await addShop("Fernhollow Books", { popularity: 5 }, "Holidays & flights");
  await addShop("O’Hara's Café", { popularity: 5 }, "Holidays & flights");
  await addShop("Élan Optics", { popularity: 1 }, "Shoes & bags");
  await addShop("Secret Sofas", { brandIds: [otherBrandId] }, "Home & furniture");
  await addShop("Bankrupt Boots", { status: "in_administration" }, "Shoes & bags");
  await addOffer("Mossgate Sofas", { title: "15% off corner sofas", popularity: 30 }, "Home & furniture");
  await addOffer(
    "Mossgate Sofas",
    { title: "Free delivery on armchairs", popularity: 10, description: "A sofa of your choice comes too." },
    "Home & furniture",
  );
  await addOffer("Fernhollow Boots", { title: "20% off walking boots", popularity: 80 }, "Shoes & bags");
  await addOffer("Fernhollow Boots", { title: "£10 off waterproof jackets", popularity: 20 }, "Shoes & bags");
  await addOffer("Fernhollow Books", { title: "Boot camp guides half price", popularity: 99 }, "Holidays & flights");
  await addOffer("Élan Optics", { title: "Men's varifocals from £99", popularity: 3 }, "Shoes & bags");
  await addOffer("O’Hara's Café", { title: "Two coffees for one", popularity: 3 }, "Holidays & flights");
  await addOffer("Secret Sofas", { title: "Secret sofa sale", popularity: 999 }, "Home & furniture");
  await addOffer("Fernhollow Boots", { title: "Reserved moccasins", onlyBrandIds: [otherBrandId] }, "Shoes & bags");
  await addOffer("Fernhollow Boots", { title: "Expired galoshes", endsAt: daysFromNow(-1) }, "Shoes & bags");
  await addOffer("Fernhollow Boots", { title: "Future snowshoes", startsAt: daysFromNow(3) }, "Shoes & bags");
  await addOffer("Bankrupt Boots", { title: "Everything must go" }, "Shoes & bags");
  await indexCatalogue(db, { now: NOW });
});

async function addShop(name: string, more: Partial<NewRetailer>, shelf: string): Promise<void> {
  shops[name] = await insertRetailer(db, {
    name,
    brandIds: [brandId, otherBrandId],
    categoryIds: [shelves[shelf]!],
    ...more,
  });
}
function addOffer(shop: string, more: Partial<NewOffer>, shelf: string) {
  return insertOffer(db, { networkId, retailerId: shops[shop]!.id, categoryIds: [shelves[shelf]!], ...more });
}
function search(
  query: string,
  more: Partial<{ sort: SearchPage["sort"]; page: number; now: Date; brandId: string }> = {},
) {
  return searchCatalogue(db, { brandId, now: NOW, query, sort: "relevance", page: 1, ...more });
}
const titles = (page: SearchPage) => page.offers.map(({ title }) => title);
const names = (page: SearchPage) => page.retailers.map(({ name }) => name);

describe("D2 matches", () => {
  test("D2 finds words in any order and form, in title, retailer or description", async () => {
    expect(titles(await search("boots walking"))).toEqual(["20% off walking boots"]);
    expect(titles(await search("WALK boot"))).toEqual(["20% off walking boots"]);
    expect(titles(await search("jackets fernhollow"))).toEqual(["£10 off waterproof jackets"]);
    expect(titles(await search("15%"))).toEqual(["15% off corner sofas"]);
    expect(titles(await search("the sofas at the Mossgate"))).toContain("15% off corner sofas");
  });

  test("D2 ranks a match in the title above one in the description", async () => {
    expect(titles(await search("sofa"))).toEqual(["15% off corner sofas", "Free delivery on armchairs"]);
  });

  test("D2 ranks an exactly named retailer first, and its offers above more popular ones of others", async () => {
    const page = await search("fernhollow boots");
    expect(names(page)[0]).toBe("Fernhollow Boots");
    expect(page.offers[0]?.retailer.name).toBe("Fernhollow Boots");
  });

  test("D2 ignores accents and apostrophes", async () => {
    expect(names(await search("elan"))).toEqual(["Élan Optics"]);
    expect(names(await search("Elan Óptics"))).toContain("Élan Optics");
    expect(names(await search("oharas cafe"))).toContain("O’Hara's Café");
    expect(names(await search("o'hara's"))).toContain("O’Hara's Café");
    expect(titles(await search("mens varifocals"))).toEqual(["Men's varifocals from £99"]);
  });

  test("D2 an unfinished last word finds what begins with it", async () => {
    expect(titles(await search("waterpr"))).toEqual(["£10 off waterproof jackets"]);
    expect(names(await search("moss"))).toEqual(["Mossgate Sofas"]);
  });

  test("D2 finds categories with their counts", async () => {
    expect((await search("furniture")).categories).toEqual([
      { slug: "home-furniture", name: "Home & furniture", liveOffers: 2 },
    ]);
  });

  test("D2 a retailer's card has its rate", async () => {
    const programme = await insertProgramme(db, { networkId, retailerId: shops["Mossgate Sofas"]!.id });
    await insertRateTier(db, { programmeId: programme.id, bp: 450 });
    expect((await search("mossgate")).retailers).toMatchObject([
      { name: "Mossgate Sofas", bestRate: { kind: "percent", rateBp: 450 }, liveOffers: 2 },
    ]);
  });

  test("D2 another word for the same thing finds it, also unfinished, misspelt and in a sentence", async () => {
    for (const query of ["couch", "couc", "cuoch", "corner couches"])
      expect.soft([query, titles(await search(query))[0]]).toEqual([query, "15% off corner sofas"]);
    expect((await search("settee")).corrected).toBeNull();
  });

  test("D2 words about saving in general are left out where no offer has them too, and this is said", async () => {
    const lamps = await insertRetailer(db, { name: "Lumen Lamps", brandIds: [(await insertBrand(db)).id] });
    await insertOffer(db, { networkId, retailerId: lamps.id, title: "Discount code for lamps" });
    await indexCatalogue(db, { now: NOW });
    expect(await search("the walking boots discount code")).toMatchObject({
      corrected: "walking boots",
      leftOut: ["discount", "code"],
      total: 1,
    });
  });
});

describe("D2 known words that no offer has together", () => {
  let brand: string;
  const at = (query: string) => search(query, { brandId: brand });

  beforeAll(async () => {
    brand = (await insertBrand(db)).id;
    const women = (await insertCategory(db, "Ladieswear for women")).id;
    const shop = async (name: string, more: Partial<NewRetailer>) =>
      await insertRetailer(db, { name, brandIds: [brand], ...more });
    const sandals = await shop("Dune Sandals", { popularity: 1 });
    const mugs = await shop("Pottery Lane", { popularity: 900, shortInfo: "Mugs, and staff who sell no kettles." });
    const kettles = await shop("Boil & Co", { popularity: 1 });
    await shop("Signet Empty", { popularity: 1 });
    const add = (retailerId: string, title: string, more: Partial<NewOffer> = {}) =>
      insertOffer(db, { networkId, retailerId, title, ...more });
    await add(sandals.id, "Cork sandals for less", { popularity: 50 });
    await add(sandals.id, "Velvet sandals for less", { popularity: 50, description: "Mind the tide." });
    await add(sandals.id, "Straw hats", { popularity: 1, categoryIds: [women] });
    await add(sandals.id, "Plaited sandals", { popularity: 1, categoryIds: [women] });
    await add(mugs.id, "Stoneware takeaway beakers");
    await add(mugs.id, "Take two plates", { description: "Away days." });
    await add(kettles.id, "Steel kettles from £9");
    await add(kettles.id, "Signet rings");
    await indexCatalogue(db, { now: NOW });
  });

  test("D2 one of them is left out and named, and what has both words comes first", async () => {
    expect(await at("velvet hats")).toMatchObject({ corrected: "hats", leftOut: ["velvet"], total: 1 });
    expect(await at("women's kettles")).toMatchObject({ corrected: "kettles", leftOut: ["womens"], total: 1 });
    expect(await at("women cork kettles")).toMatchObject({ corrected: "kettles", leftOut: ["women", "cork"] });
  });

  test("D2 the words that were left out count for the order", async () => {
    const page = await at("women's sandals velvet");
    expect(page).toMatchObject({ corrected: "sandals velvet", leftOut: ["womens"] });
    expect(titles(await at("women kettles sandals"))[0]).toBe("Plaited sandals");
  });

  test("D2 two known words that make a third find it, and this is said", async () => {
    for (const query of ["take away beakers", "take-away beakers"])
      expect(await at(query)).toMatchObject({ corrected: "takeaway beakers", leftOut: [], total: 1 });
  });

  test("D2 a shop that has all the words is found, though it has no offers", async () => {
    expect(await at("signet empty")).toMatchObject({ corrected: null, leftOut: [], total: 0 });
    expect(names(await at("signet empty"))).toEqual(["Signet Empty"]);
  });

  test("D2 a filter without matches among the fewer words returns none of other words", async () => {
    const found = await searchCatalogue(db, {
      brandId: brand,
      now: NOW,
      query: "velvet hats",
      sort: "relevance",
      page: 1,
      filter: { kind: "student" } as never,
    });
    expect(found.total).toBe(0);
  });

  test("D2 a shop that offers a thing comes before a more popular one that mentions it", async () => {
    expect(names(await at("kettles"))).toEqual(["Boil & Co"]);
    expect(names(await at("mugs"))).toEqual(["Pottery Lane"]);
  });

  test("D2 a search that finds something takes as many statements as before, and an empty one at most two more", async () => {
    const statements = async (query: string) => {
      let count = 0;
      const counted = db.withPlugin({
        transformQuery: ({ node }) => {
          count += 1;
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      });
      await searchCatalogue(counted, { brandId: brand, now: NOW, query, sort: "relevance", page: 1 });
      return count;
    };
    expect(await statements("sandals")).toBe(3);
    expect(await statements("velvet hats")).toBe(7);
  });
});

describe("D2 typos", () => {
  test.each([
    ["walkin bots", "20% off walking boots"],
    ["wlaking boots", "20% off walking boots"],
    ["waterprooof jackets", "£10 off waterproof jackets"],
    ["cornre sofas", "15% off corner sofas"],
    ["vraifocals", "Men's varifocals from £99"],
    ["wattrproff jackets", "£10 off waterproof jackets"],
  ])("D2 %j finds %j and says what was searched for", async (query, title) => {
    const page = await search(query);
    expect(titles(page)[0]).toBe(title);
    expect(page.corrected).not.toBeNull();
    expect(page.query).toBe(query);
  });

  test.each(["mosgate sofas", "mossgate sfoas", "mossgatesofas", "moss gate sofas", "Mosgatte Sofaz"])(
    "D2 %j finds the retailer",
    async (query) => {
      expect(names(await search(query))).toContain("Mossgate Sofas");
    },
  );

  test("D2 a name that is typed with a space is found, also while typing, and this is said", async () => {
    for (const query of ["fern hollow", "boots fern hollow", "fern hollow walking boots"]) {
      const found = await search(query);
      expect(found.offers[0]?.retailer.name).toMatch(/^Fernhollow/);
      expect(found.corrected).toBe(query.replace("fern hollow", "fernhollow"));
    }
    const typing = await suggest(db, { brandId, now: NOW, query: "fern holl" });
    expect(typing.retailers.map(({ name }) => name)).toContain("Fernhollow Boots");
    // Neither half is joined where both are words of their own.
    expect((await search("walking boots")).corrected).toBeNull();
  });

  test("D2 corrects a typo that makes another known word if the words as typed find nothing", async () => {
    // "books" is known, but there are no walking ones
    expect(titles(await search("walking books"))).toEqual(["20% off walking boots"]);
  });

  test("D2 the correction names the word that was found, and known words have none", async () => {
    expect(await search("wlaking boots")).toMatchObject({ corrected: "walking boots", leftOut: [] });
    expect((await search("walking boots")).corrected).toBeNull();
    expect((await search("walk")).corrected).toBeNull();
  });

  test("D2 searches for the known words alone if a guess finds nothing", async () => {
    // "xsofas" is near "sofas", of which there are no walking ones
    expect(await search("walking boots xsofas")).toMatchObject({
      corrected: "walking boots",
      leftOut: ["xsofas"],
      total: 1,
    });
    // "yover" is a slip of "over", which is in no index
    expect(titles(await search("15% yover corner sofas"))).toEqual(["15% off corner sofas"]);
  });

  test("D2 ranks a retailer's name with a typo above longer names that contain it", async () => {
    const brand = (await insertBrand(db)).id;
    for (const [name, popularity] of [
      ["Tarn & Moss Gardens", 900],
      ["Moss Gardens", 1],
      ["Moss & Fern Gardens", 500],
    ] as const) {
      const shop = await insertRetailer(db, { name, popularity, brandIds: [brand] });
      await insertOffer(db, { networkId, retailerId: shop.id });
    }
    await indexCatalogue(db, { now: NOW });
    expect(names(await search("moss gardnes", { brandId: brand }))[0]).toBe("Moss Gardens");
  });

  test("D2 a typo of the singular finds what shops write in the plural, under the plural's name", async () => {
    expect(await search("jaket")).toMatchObject({ corrected: "jackets", total: 1 });
    expect(await search("vraifocal")).toMatchObject({ corrected: "varifocals", total: 1 });
    expect((await suggest(db, { brandId, now: NOW, query: "jaket" })).offers).toMatchObject([
      { title: "£10 off waterproof jackets" },
    ]);
  });

  test("D2 the words of an older version get their singular with the next indexing, and an older one keeps it", async () => {
    const read = async () =>
      (
        await pool.query(
          "select word, singular, slips @> '{jacke}' as slipped from search_words where word = 'jackets'",
        )
      ).rows;
    const full = [{ word: "jackets", singular: "jacket", slipped: true }];
    await pool.query("update search_words set singular = null, slips = search_slips(word)");
    expect((await search("jaket")).total).toBe(0);
    expect(titles(await search("jakets"))).toEqual(["£10 off waterproof jackets"]);
    await indexCatalogue(db, { now: NOW });
    expect(await read()).toEqual(full);
    // As the version before writes it.
    await pool.query(
      `insert into search_words (word, lexeme, occurrences, slips) values ('jackets', 'jacket', 9, search_slips('jackets'))
       on conflict (word) do update set lexeme = excluded.lexeme, occurrences = excluded.occurrences`,
    );
    expect(await read()).toEqual(full);
    await indexCatalogue(db, { now: NOW });
  });

  test("D2 a short name that is not here is not replaced by another word: the page and the suggestions ask", async () => {
    expect(await search("guida")).toMatchObject({ corrected: "guides", didYouMean: null });
    const asked = await search("gude");
    expect(asked).toMatchObject({ corrected: null, didYouMean: "guides", total: 0, retailers: [], offers: [] });
    expect(await suggest(db, { brandId, now: NOW, query: "gude" })).toEqual({
      retailers: [],
      categories: [],
      offers: [],
      didYouMean: "guides",
    });
    const filter = { kind: "code" as const, category: null, minBp: null };
    const narrowed = { brandId, now: NOW, query: "gude", sort: "relevance" as const, page: 3, filter };
    expect(await searchCatalogue(db, narrowed)).toMatchObject({ didYouMean: "guides", total: 0, page: 1 });
    // Nothing is asked that this brand does not have.
    expect(await search("gude", { brandId: (await insertBrand(db)).id })).toMatchObject({ didYouMean: null, total: 0 });
  });

  describe("D2 a doubtful word at brands that have different things", () => {
    const at = (id: string, query: string) => search(query, { brandId: id });
    const meant = async (id: string, query: string) => [
      (await at(id, query)).didYouMean,
      (await suggest(db, { brandId: id, now: NOW, query })).didYouMean,
    ];
    let [first, second, third] = ["", "", ""];

    beforeAll(async () => {
      const insert = async (name: string) => {
        const { id } = await insertBrand(db);
        const shop = await insertRetailer(db, { name, brandIds: [id] });
        return { id, add: (offer: Partial<NewOffer>) => insertOffer(db, { networkId, retailerId: shop.id, ...offer }) };
      };
      const [one, two, three] = [await insert("Wharf One"), await insert("Wharf Two"), await insert("Kavavo")];
      [first, second, third] = [one.id, two.id, three.id];
      for (const title of ["Kava for less", "Kava half price", "Kava by post"]) await one.add({ title });
      await two.add({ title: "Kave tables", description: "Of great value." });
      await two.add({ title: "Saucers", description: "Beside a yurt." });
      await indexCatalogue(db, { now: NOW });
    });

    test("D2 the word is asked that the brand has, though others have another more often", async () => {
      expect(await meant(first, "kavo")).toEqual(["kava", "kava"]);
      expect(await meant(second, "kavo")).toEqual(["kave", "kave"]);
      expect(await meant(second, "kavo voucher")).toEqual(["kave", "kave"]);
    });

    test("D2 a brand that has none of the words shows retailers with similar names", async () => {
      const page = await at(third, "kavo");
      expect(page).toMatchObject({ didYouMean: null, total: 0, offers: [], retailerTotal: 1 });
      expect(names(page)).toEqual(["Kavavo"]);
    });

    test("D2 a stem that nobody wrote is neither asked nor searched for, and a word of a description is asked", async () => {
      const { rows } = await pool.query("select word from search_words where word in ('valu', 'yurt') order by word");
      expect(rows).toEqual([{ word: "valu" }, { word: "yurt" }]);
      expect(await meant(second, "vale")).toEqual([null, null]);
      expect(await at(second, "vale")).toMatchObject({ total: 0, retailers: [] });
      expect(await meant(second, "yart")).toEqual(["yurt", "yurt"]);
    });

    test("D2 asking takes one statement beside the words and the names", async () => {
      let count = 0;
      const counted = db.withPlugin({
        transformQuery: ({ node }) => {
          count += 1;
          return node;
        },
        transformResult: ({ result }) => Promise.resolve(result),
      });
      await suggest(counted, { brandId: second, now: NOW, query: "kavo" });
      expect(count).toBe(2);
      await searchCatalogue(counted, { brandId: second, now: NOW, query: "kavo", sort: "relevance", page: 1 });
      expect(count).toBe(5);
    });
  });

  test("D2 leaves out words without similar words, and reports the words searched for", async () => {
    const page = await search("xylophonic sofas");
    expect(titles(page)).toContain("15% off corner sofas");
    expect(page.corrected).toBe("sofas");
  });
});

describe("B4 offers that are not found", () => {
  test("B4 another brand's retailers and offers, and offers reserved for it, are not found", async () => {
    expect(titles(await search("secret sofa sale"))).not.toContain("Secret sofa sale");
    expect(names(await search("secret sofas"))).not.toContain("Secret Sofas");
    expect(titles(await search("moccasins"))).toEqual([]);
    expect(titles(await search("moccasins", { brandId: otherBrandId }))).toEqual(["Reserved moccasins"]);
    expect(names(await search("secret sofas", { brandId: otherBrandId }))[0]).toBe("Secret Sofas");
  });

  test("O1 ended and upcoming offers, and those of a retailer in administration, are not found", async () => {
    for (const query of ["galoshes", "snowshoes", "everything must go", "bankrupt"]) {
      const page = await search(query);
      expect
        .soft([
          query,
          titles(page).filter((title) => /galoshes|snowshoes|must go/.test(title)),
          names(page).includes("Bankrupt Boots"),
        ])
        .toEqual([query, [], false]);
    }
    expect(titles(await search("snowshoes", { now: daysFromNow(4) }))).toEqual(["Future snowshoes"]);
  });

  test("D3 the whole name of a retailer that is paused, in administration or closed is told, at the brands that show it", async () => {
    const told = { name: "Bankrupt Boots", slug: shops["Bankrupt Boots"]!.slug, status: "in_administration" };
    expect((await search("bankrupt  BOOTS")).stopped).toEqual(told);
    for (const query of ["bankrupt", "boots", "fernhollow boots", "bankrupt boot"])
      expect.soft([query, (await search(query)).stopped]).toEqual([query, null]);
    const elsewhere = (await insertBrand(db)).id;
    expect((await search("bankrupt boots", { brandId: elsewhere })).stopped).toBeNull();
  });

  test("O1 an offer that ends after the last indexing is not found", async () => {
    expect((await search("jackets", { now: daysFromNow(31) })).offers).toEqual([]);
  });

  test("D2 a withdrawn offer is not found, even if the index still has it", async () => {
    const brand = (await insertBrand(db)).id;
    const shop = await insertRetailer(db, { name: "Late Lamps", brandIds: [brand] });
    const offer = await insertOffer(db, { networkId, retailerId: shop.id, title: "Lampshades for less" });
    await indexCatalogue(db, { now: NOW });
    const find = async () => titles(await search("lampshades", { brandId: brand }));
    expect(await find()).toEqual(["Lampshades for less"]);
    await db.updateTable("offers").set({ status: "withdrawn" }).where("id", "=", offer.id).execute();
    expect(await find()).toEqual([]);
    await db
      .updateTable("offers")
      .set({ status: "live", title: "Lanterns for less" })
      .where("id", "=", offer.id)
      .execute();
    await indexCatalogue(db, { now: NOW });
    expect(await find()).toEqual([]);
    expect(titles(await search("lanterns", { brandId: brand }))).toEqual(["Lanterns for less"]);
    await db.deleteFrom("brand_retailers").where("brand_id", "=", brand).execute();
    expect(titles(await search("lanterns", { brandId: brand }))).toEqual([]);
  });

  test("D2 a search without matches returns none", async () => {
    expect(await search("qqqqqqqq zzzzzzzz")).toEqual({
      query: "qqqqqqqq zzzzzzzz",
      corrected: null,
      didYouMean: null,
      leftOut: [],
      sort: "relevance",
      page: 1,
      pageCount: 1,
      total: 0,
      totalIsMinimum: false,
      kinds: null,
      retailers: [],
      retailerTotal: 0,
      retailersAreMore: false,
      retailerPage: 1,
      retailerPageCount: 1,
      stopped: null,
      categories: [],
      offers: [],
    });
  });
});

test("D2 a search for retailers alone has pages, each retailer is on one of them, and a page beyond the last is the last", async () => {
  const brand = (await insertBrand(db)).id;
  const add = async (from: number, to: number) => {
    for (let number = from; number <= to; number += 1)
      await insertRetailer(db, { name: `Pebblewick ${number}`, brandIds: [brand], popularity: number % 3 });
    await indexCatalogue(db, { now: NOW });
  };
  const read = (retailerPage: number) =>
    searchCatalogue(db, { brandId: brand, now: NOW, query: "pebblewick", sort: "relevance", page: 1, retailerPage });
  const all = async (pages: number) => {
    const found: string[] = [];
    for (let page = 1; page <= pages; page += 1) found.push(...names(await read(page)));
    return new Set(found).size;
  };
  await add(1, 60);
  expect(await read(1)).toMatchObject({ retailerTotal: 60, retailerPageCount: 1, retailersAreMore: false });
  await add(61, 130);
  expect(await read(1)).toMatchObject({ retailerTotal: 130, retailerPage: 1, retailerPageCount: 3 });
  expect((await read(2)).retailers).toHaveLength(60);
  expect(await all(3)).toBe(130);
  expect(await read(9)).toMatchObject({ retailerPage: 3, retailers: { length: 10 } });
  await add(131, 301);
  expect(await read(5)).toMatchObject({ retailerTotal: 300, retailerPageCount: 5, retailersAreMore: true });
  expect((await read(5)).retailers).toHaveLength(60);
  expect(await all(5)).toBe(300);
  const above = await searchCatalogue(db, {
    brandId: brand,
    now: NOW,
    query: "pebblewick",
    sort: "relevance",
    page: 1,
  });
  expect(above).toMatchObject({ retailerTotal: 8, retailerPageCount: 1, retailersAreMore: true });
});

describe("D2 hostile input", () => {
  const hostile = [
    "",
    " ",
    "\0",
    "a\0b",
    "\ud800",
    "sofas\udc00",
    "<script>alert(1)</script>",
    "\"'`",
    "'; drop table offers; --",
    "' or '1'='1",
    "sofas' & 'boots",
    "!sofas",
    "sofas & | ! <-> ()",
    "sofas:*",
    ":A",
    "\\",
    "\\'",
    "%",
    "_",
    "%%%",
    "🦊🛋️",
    "👩‍👩‍👧‍👦",
    "\u202Esafos",
    "مرحبا بالعالم",
    "沙发",
    "Ω≈ç√",
    "﷽",
    "İstanbul",
    "ß",
    "ﬁne sofas",
    "a".repeat(10_000),
    "sofas ".repeat(2_000),
    "é".repeat(300),
    "1e400",
    "NaN",
    "null",
    "${7*7}",
    "{{7*7}}",
    "../../etc/passwd",
    "\r\nSet-Cookie: a=b",
    "the",
    "the and of",
    "-",
    "--",
    "&&&",
    "((((",
    "0",
    "£",
    "\u0300\u0301",
    "\uFFFF",
  ];
  test.each(hostile.map((query) => [JSON.stringify(query).slice(0, 40), query]))(
    "D2 %s is answered",
    async (_, query) => {
      const page = await search(query);
      expect([...page.query].length).toBeLessThanOrEqual(200);
      expect(page.query.isWellFormed()).toBe(true);
      expect(page.query).not.toMatch(/[\0\u202E]/);
      expect(page.offers.length).toBeLessThanOrEqual(24);
      await suggest(db, { brandId, now: NOW, query });
    },
  );

  test("D2 any text is answered, and the catalogue is unchanged", async () => {
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.stringMatching(/^[ !&|():*<>'"\\a-z-]{0,40}$/),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (query) => (await search(query)).offers.length <= 24),
      { numRuns: 150 },
    );
    expect((await pool.query("select count(*) as offers from offers")).rows[0].offers).toBeGreaterThan(10);
  });

  test("D2 markup around words does not hide them", async () => {
    expect(titles(await search("<b>walking</b> boots"))).toContain("20% off walking boots");
    expect(titles(await search("walking&boots!"))).toEqual(["20% off walking boots"]);
  });
});

describe("D5 pages and sorts", () => {
  let crowded: string;
  beforeAll(async () => {
    crowded = (await insertBrand(db)).id;
    const shop = await insertRetailer(db, { name: "Kettle World", brandIds: [crowded] });
    for (let index = 0; index < 60; index += 1) {
      await insertOffer(db, {
        networkId,
        retailerId: shop.id,
        title: `Kettle number ${index}`,
        popularity: index % 7,
        startsAt: daysFromNow(-100 + index),
        endsAt: index === 5 ? daysFromNow(1) : daysFromNow(40),
      });
    }
    await indexCatalogue(db, { now: NOW });
  });
  const page = (sort: SearchPage["sort"], number: number) => search("kettle", { brandId: crowded, sort, page: number });

  test.each(["relevance", "popular", "newest", "ending"] as const)(
    "D5 sorted by %s, pages neither repeat nor skip",
    async (sort) => {
      const pages = [await page(sort, 1), await page(sort, 2), await page(sort, 3)];
      expect(pages.map(({ offers }) => offers.length)).toEqual([24, 24, 12]);
      expect(new Set(pages.flatMap(({ offers }) => offers.map(({ publicId }) => publicId))).size).toBe(60);
      expect(pages[1]).toMatchObject({ total: 60, pageCount: 3, page: 2, sort });
    },
  );

  test("D5 each sort orders by its criterion", async () => {
    expect(titles(await page("newest", 1))[0]).toBe("Kettle number 59");
    expect(titles(await page("ending", 1))[0]).toBe("Kettle number 5");
  });

  test("D5 a page beyond the last returns the last", async () => {
    expect(await page("popular", 400)).toMatchObject({ page: 3, total: 60, pageCount: 3 });
    expect((await page("popular", 400)).offers).toHaveLength(12);
  });

  test("D5 a page beyond the last shows what the first shows where that is the only page", async () => {
    const brand = (await insertBrand(db)).id;
    await insertRetailer(db, { name: "Trivet Trove", brandIds: [brand] });
    const one = await insertRetailer(db, { name: "Colander Court", brandIds: [brand] });
    await insertOffer(db, { networkId, retailerId: one.id, title: "Colanders for less" });
    await indexCatalogue(db, { now: NOW });
    const noOffers = await search("trivet", { brandId: brand, page: 2 });
    expect(noOffers).toMatchObject({ page: 1, total: 0 });
    expect(names(noOffers)).toEqual(["Trivet Trove"]);
    const oneOffer = await search("colander", { brandId: brand, page: 2 });
    expect(oneOffer).toMatchObject({ page: 1, total: 1, offers: [{ title: "Colanders for less" }] });
    expect(names(oneOffer)).toEqual(["Colander Court"]);
  });
});

describe("D2 very many matches", () => {
  test("D2 very many matches are counted to 500, sorted by popularity with an exactly named retailer first, and paged", async () => {
    const brand = (await insertBrand(db)).id;
    const shop = await insertRetailer(db, { name: "Teapot", brandIds: [brand] });
    const rest = await insertRetailer(db, { name: "Everything Else", brandIds: [brand] });
    await pool.query(
      `insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at, popularity)
       select gen_random_uuid(), 'teapot', case when n <= 30 then $1::uuid else $2::uuid end, $3, 'teapot-' || n, 'deal', 'Teapot ' || n, 'https://shop.example/', $4, n
       from generate_series(1, 1500) n`,
      [shop.id, rest.id, networkId, daysFromNow(-2)],
    );
    await indexCatalogue(db, { now: NOW });
    const first = await search("teapot", { brandId: brand });
    expect(first).toMatchObject({ total: 500, totalIsMinimum: true, pageCount: 21 });
    expect(titles(first).slice(0, 2)).toEqual(["Teapot 30", "Teapot 29"]);
    const second = await search("teapot", { brandId: brand, page: 2 });
    expect(titles(second).slice(5, 8)).toEqual(["Teapot 1", "Teapot 1500", "Teapot 1499"]);
    const popular = await search("teapot", { brandId: brand, sort: "popular" });
    expect(titles(popular)[0]).toBe("Teapot 1500");
    expect((await search("teapot", { brandId: brand, sort: "newest", page: 21 })).offers).toHaveLength(24);
    expect((await search("teapot", { brandId: brand, sort: "ending", page: 400 })).page).toBe(21);
    const beyond = await search("teapot", { brandId: brand, sort: "popular", page: 30 });
    expect(beyond).toMatchObject({ page: 21, pageCount: 21 });
    expect(titles(beyond)[0]).toBe("Teapot 1020");
  });

  test("D2 a word that was common is counted again once most of its offers have ended, on every page and sort", async () => {
    const brand = (await insertBrand(db)).id;
    const shop = await insertRetailer(db, { name: "Crockery Corner", brandIds: [brand] });
    await pool.query(
      `insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at, ends_at, popularity)
       select gen_random_uuid(), 'saucer', $1, $2, 'saucer-' || n, 'deal', 'Saucer ' || n, 'https://shop.example/', $3,
         case when n > 10 then $4::timestamptz end, n
       from generate_series(1, 1200) n`,
      [shop.id, networkId, daysFromNow(-2), daysFromNow(3)],
    );
    await indexCatalogue(db, { now: NOW });
    for (const sort of ["relevance", "popular", "newest", "ending"] as const) {
      expect(await search("saucer", { brandId: brand, sort })).toMatchObject({ total: 500, totalIsMinimum: true });
      const later = await search("saucer", { brandId: brand, sort, now: daysFromNow(4) });
      expect(later).toMatchObject({ total: 10, totalIsMinimum: false, kinds: { deal: 10 } });
      expect(later.offers).toHaveLength(10);
    }
    expect((await suggest(db, { brandId: brand, now: NOW, query: "sauc" })).offers.map(({ title }) => title)).toEqual(
      [1200, 1199, 1198, 1197, 1196].map((number) => `Saucer ${number}`),
    );
  });

  test("D2 a common category's name finds the most popular offers uncounted, and is counted once most have ended", async () => {
    const brand = (await insertBrand(db)).id;
    const shop = await insertRetailer(db, { name: "Griddle Grove", brandIds: [brand] });
    const category = await insertCategory(db, "Griddles & skillets");
    await pool.query(
      `with made as (
         insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at, ends_at, popularity)
         select gen_random_uuid(), 'pan', $1, $2, 'pan-' || n, 'deal', 'Pan ' || n, 'https://shop.example/', $3,
           case when n > 10 then $4::timestamptz end, n
         from generate_series(1, 1200) n returning id)
       insert into offer_categories (offer_id, category_id) select id, $5 from made`,
      [shop.id, networkId, daysFromNow(-2), daysFromNow(3), category.id],
    );
    await indexCatalogue(db, { now: NOW });
    for (const query of ["griddles & skillets", "skillet griddle"]) {
      const found = await search(query, { brandId: brand });
      expect(found).toMatchObject({ total: 500, totalIsMinimum: true, kinds: null, corrected: null });
      expect(titles(found).slice(0, 2)).toEqual(["Pan 1200", "Pan 1199"]);
      const third = await search(query, { brandId: brand, page: 3 });
      expect(titles(third)[0]).toBe("Pan 1152");
      const later = await search(query, { brandId: brand, now: daysFromNow(4) });
      expect(later).toMatchObject({ total: 10, totalIsMinimum: false, kinds: { deal: 10 } });
      expect(titles(later)).toHaveLength(10);
    }
    expect(await search("griddles skillets pan 1200", { brandId: brand })).toMatchObject({ total: 1 });
  });

  test("D2 words that are checked on the rows find what the index of words finds", async () => {
    const brand = (await insertBrand(db)).id;
    const shop = await insertRetailer(db, { name: "Rug Row", brandIds: [brand] });
    await pool.query(
      `insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at, popularity)
       select gen_random_uuid(), 'rug', $1, $2, 'rug-' || n, 'deal', concat_ws(' ', 'Rug', case when n % 2 = 0 then 'woollen' end,
           case when n % 3 = 0 then 'striped' end, case when n % 5 = 0 then 'fringed' end), 'https://shop.example/', $3, n
       from generate_series(1, 90) n`,
      [shop.id, networkId, daysFromNow(-2)],
    );
    await indexCatalogue(db, { now: NOW });
    const total = async (query: string) => (await search(query, { brandId: brand })).total;
    expect(await total("rug woollen striped fringed")).toBe(3);
    expect(await total("woollen striped rug")).toBe(15);
    expect(await total("fringed striped rugs")).toBe(6);
  });

  test("D2 a common word of one brand is counted at another that shows few of its offers", async () => {
    const [many, few] = [(await insertBrand(db)).id, (await insertBrand(db)).id];
    const large = await insertRetailer(db, { name: "Vast Vases", brandIds: [many] });
    const small = await insertRetailer(db, { name: "Vase Nook", brandIds: [many, few] });
    await pool.query(
      `insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at, popularity)
       select gen_random_uuid(), 'vase', case when n % 40 = 0 then $1::uuid else $2::uuid end, $3, 'vase-' || n, 'deal', 'Urn ' || n,
         'https://shop.example/', $4, n
       from generate_series(1, 1200) n`,
      [small.id, large.id, networkId, daysFromNow(-2)],
    );
    await indexCatalogue(db, { now: NOW });
    expect(await search("urn", { brandId: many })).toMatchObject({ total: 500, totalIsMinimum: true });
    const found = await search("urn", { brandId: few });
    expect(found).toMatchObject({ total: 30, totalIsMinimum: false });
    expect(titles(found)).toHaveLength(24);
  });

  test("D2 offers that are changed between two indexings keep their place by popularity among very many", async () => {
    const brand = (await insertBrand(db)).id;
    const shop = await insertRetailer(db, { name: "Ladle Lane", brandIds: [brand] });
    await pool.query(
      `insert into offers (id, slug, retailer_id, network_id, network_offer_id, kind, title, landing_url, starts_at, popularity)
       select gen_random_uuid(), 'ladle', $1, $2, 'ladle-' || n, 'deal', case when n % 5 = 0 then 'Ladle and spoon ' else 'Whisk ' end || n, 'https://shop.example/', $3, 10000 + n
       from generate_series(1, 2700) n`,
      [shop.id, networkId, daysFromNow(-2)],
    );
    await indexCatalogue(db, { now: NOW });
    const found = async () =>
      titles(await search("ladle spoon", { brandId: brand })).map((title) => title.split(" ").at(-1));
    expect((await found()).slice(0, 3)).toEqual(["2700", "2695", "2690"]);
    // One of the least popular becomes the most popular, and the most popular one of the least.
    const moved = await pool.query<{ id: string }>(
      `update offers set popularity = case network_offer_id when 'ladle-5' then 20000 else 10000 end
       where network_offer_id in ('ladle-5', 'ladle-2700') returning id`,
    );
    await refreshOffers(db, { offerIds: moved.rows.map(({ id }) => id), now: NOW });
    expect((await found()).slice(0, 3)).toEqual(["5", "2695", "2690"]);
  });
});

describe("D2 suggestions", () => {
  test("D2 suggestions are retailers, categories and offers that match the unfinished text", async () => {
    const found = await suggest(db, { brandId, now: NOW, query: "fernh" });
    expect(found.retailers.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["Fernhollow Boots", "Fernhollow Books"]),
    );
    // Names first; what no name says is looked for in what shops sell.
    const named = async (query: string) =>
      (await suggest(db, { brandId, now: NOW, query })).retailers.map(({ name }) => name);
    expect(await named("boot")).toEqual(["Fernhollow Boots"]);
    expect(await named("furnit")).toEqual(["Mossgate Sofas"]);
    expect((await suggest(db, { brandId, now: NOW, query: "furnit" })).categories).toMatchObject([
      { slug: "home-furniture" },
    ]);
    expect((await suggest(db, { brandId, now: NOW, query: "walking b" })).offers).toMatchObject([
      { title: "20% off walking boots" },
    ]);
    // As on the retailer's card, so that a member sees what a shop pays before they choose it.
    expect((await suggest(db, { brandId, now: NOW, query: "mossgate" })).retailers).toEqual([
      { slug: expect.any(String), name: "Mossgate Sofas", rates: "4.5% cashback" },
    ]);
    expect(await suggest(db, { brandId, now: NOW, query: " " })).toEqual({
      retailers: [],
      categories: [],
      offers: [],
      didYouMean: null,
    });
  });

  test("B4 suggestions are never another brand's", async () => {
    expect((await suggest(db, { brandId, now: NOW, query: "secret" })).retailers).toEqual([]);
  });
});

test("D2 indexing again parses nothing, and concurrent runs leave the same index", async () => {
  const read = async () =>
    (
      await pool.query(
        "select (select count(*) from search_offers) as offers, (select count(*) from search_words) as words, (select md5(string_agg(document::text, '' order by offer_id)) from search_offers) as documents",
      )
    ).rows[0];
  const before = await read();
  const reports = await Promise.all([indexCatalogue(db, { now: NOW }), indexCatalogue(db, { now: NOW })]);
  expect(reports.map(({ offersParsed, retailersParsed }) => [offersParsed, retailersParsed])).toEqual([
    [0, 0],
    [0, 0],
  ]);
  expect(await read()).toEqual(before);
});
