import menuCategories from "@farthing/db/seeds/menu-categories.json" with { type: "json" };
import { expect, test } from "vitest";
import { awinProgramme, awinPromotion } from "@farthing/providers/affiliates/awin/awin-feed-schema.ts";
import { editorialRetailer } from "@farthing/core/catalogue-imports/editorial-schema.ts";
import { allCategories } from "./categories/all-categories.ts";
import { deniedNames, realTowns } from "./denied-names.ts";
import { demoCatalogue, demoCategories } from "./demo-catalogue.ts";
import type { DemoEntry } from "./demo-entry.ts";
import { knownOffers } from "./known-offers.ts";
import { knownRetailers } from "./known-retailers.ts";
import { allTrades, firstWords } from "./retailer-names.ts";

const now = new Date("2026-11-20T00:00:00Z");
const demo = { seed: "farthing", now, retailers: 240, offers: 1100 };
const entries = [...demoCatalogue(demo)];
const promotions = entries.flatMap((entry) => entry.promotions);
const offers = entries.flatMap((entry) => entry.editorial.offers ?? []);
const bySlug = (slug: string) => entries.find((entry) => entry.editorial.slug === slug) as DemoEntry;
const offerOf = (id: string) => {
  const entry = entries.find((candidate) =>
    candidate.editorial.offers?.some((offer) => offer.networkOfferId === id),
  ) as DemoEntry;
  return {
    entry,
    promotion: entry.promotions.find((promotion) => String(promotion.promotionId) === id)!,
    editorial: entry.editorial.offers!.find((offer) => offer.networkOfferId === id)!,
  };
};

test("C2 the same seed, moment and scale produce the same bytes, and another seed does not", () => {
  expect(JSON.stringify([...demoCatalogue(demo)])).toBe(JSON.stringify(entries));
  expect(JSON.stringify([...demoCatalogue({ ...demo, seed: "other" })])).not.toBe(JSON.stringify(entries));
});

test("C2 another moment moves the dates and nothing else", () => {
  const later = [...demoCatalogue({ ...demo, now: new Date("2027-03-01T00:00:00Z") })];
  const titles = (all: DemoEntry[]) =>
    all.flatMap((entry) =>
      entry.promotions.map((promotion) => [promotion.promotionId, promotion.title, promotion.voucher?.code]),
    );
  expect(titles(later)).toEqual(titles(entries));
});

test("C2 240 retailers and 1,100 offers have the specified shares, within one percent", () => {
  expect({ retailers: entries.length, offers: promotions.length }).toEqual({ retailers: 240, offers: 1100 });
  const pools = new Set(offers.filter((offer) => offer.codePool !== undefined).map((offer) => offer.networkOfferId));
  const share = (count: number) => Math.round((count / promotions.length) * 100);
  const kinds = {
    code: promotions.filter((promotion) => promotion.type === "voucher" && !pools.has(String(promotion.promotionId)))
      .length,
    pool: pools.size,
    inStore: offers.filter((offer) => offer.kind === "in_store").length,
    app: offers.filter((offer) => offer.kind === "app_exclusive").length,
  };
  expect({
    code: share(kinds.code),
    pool: share(kinds.pool),
    inStore: share(kinds.inStore),
    app: share(kinds.app),
  }).toEqual({ code: 45, pool: 10, inStore: 10, app: 5 });
});

test("C2 every record is valid for the import", () => {
  for (const entry of entries) {
    expect(awinProgramme.safeParse(entry.programme).error).toBeUndefined();
    expect(editorialRetailer.safeParse(entry.editorial).error).toBeUndefined();
    for (const promotion of entry.promotions) expect(awinPromotion.safeParse(promotion).error).toBeUndefined();
  }
});

test("C2 names are made of sixty words and forty trades, and none is a real shop or town", () => {
  expect({ words: new Set(firstWords).size, trades: allTrades.length, categories: allCategories.length }).toEqual({
    words: 60,
    trades: 40,
    categories: 20,
  });
  expect(firstWords.filter((word) => realTowns.has(word.toLowerCase()))).toEqual([]);
  const large = [...demoCatalogue({ ...demo, retailers: 3000, offers: 6100 })].map((entry) => entry.editorial.slug);
  expect(new Set(large).size).toBe(3000);
  expect(large.filter((slug) => deniedNames.has(slug))).toEqual([]);
});

test("O7 an in-store offer mentions no code or delivery, and a deal no code", () => {
  const inStore = new Set(offers.filter((offer) => offer.kind === "in_store").map((offer) => offer.networkOfferId));
  for (const promotion of promotions) {
    if (inStore.has(String(promotion.promotionId))) expect(promotion.terms).not.toMatch(/\bcode\b|deliver|online/i);
    if (promotion.type === "promotion") expect(promotion.terms).not.toMatch(/\bcode\b/);
  }
});

test("C2 the known retailers have the same position in a catalogue of any seed and size", () => {
  const other = [...demoCatalogue({ seed: "x", now, retailers: 1000, offers: 5000 })];
  const place = (all: DemoEntry[]) =>
    all
      .slice(0, knownRetailers.length)
      .map((entry) => [entry.programme.id, entry.editorial.slug, entry.editorial.name]);
  expect(place(other)).toEqual(place(entries));
});

test("C2 the retailers of special cases are in the catalogue", () => {
  expect(bySlug("hobnettle-tools").editorial.acceptsClaims).toBe(false);
  expect(bySlug("mossgate-sofas").editorial.status).toBe("in_administration");
  expect(bySlug("saltmeadow-breaks").editorial.confirmsAfter).toBe("stay");
  expect(bySlug("zephyrdale-holidays").editorial.confirmsAfter).toBe("travel");
  expect(bySlug("maison-veloutine").programme.currencyCode).toBe("EUR");
  expect(bySlug("fernhollow-boots").editorial.otherProgrammes).toHaveLength(1);
  expect(bySlug("cinderquill-wines").editorial.adultsOnly).toBe(true);
  expect(bySlug("nan-thistles-pantry").editorial.name).toContain("’");
  expect(bySlug("cafe-amberlune").editorial.name).toContain("é");
  expect(bySlug("plumthatch-guild").editorial.name).toHaveLength(60);
  expect(bySlug("elderglass-optics").promotions).toEqual([]);
  const zero = bySlug("pennywhistle-pets");
  expect(zero.programme.commissionGroups).toMatchObject([{ type: "percentage", percentage: 0 }]);
  expect(
    zero.editorial.boosts?.map((boost) => Date.parse(boost.startsAt) > now.getTime() && boost.memberRateBp! > 0),
  ).toEqual([true]);
});

test("C2 the offers of special cases are in the catalogue", () => {
  expect(Date.parse(offerOf("90000002").promotion.endDate!)).toBeLessThan(now.getTime());
  expect(offerOf("90000003").editorial.codePool).toEqual([]);
  expect(offerOf("90000004").editorial.codePool).toHaveLength(3);
  expect(offerOf("90000005").editorial.adultsOnly).toBe(true);
  expect(Date.parse(offerOf("90000006").promotion.startDate)).toBeGreaterThan(now.getTime());
  expect(offerOf("90000007").editorial.variants).toHaveLength(3);
  expect(offerOf("90000008").promotion.title).toContain("<b>");
  expect(offerOf("90000009").promotion.endDate).toBe("2026-11-20T23:59:59+00:00");
  expect(offerOf("90000010").editorial.brands).toEqual(["chalkside"]);
  expect(offerOf("90000014").promotion.title).toHaveLength(200);
  expect(knownOffers.every((known) => bySlug(known.retailer) !== undefined)).toBe(true);
});

test("U2 texts vary: none is repeated often", () => {
  const repeats = (texts: string[]) =>
    Math.max(...Object.values(Object.groupBy(texts, (text) => text)).map((same) => same!.length));
  expect(repeats(promotions.map((promotion) => promotion.title))).toBeLessThanOrEqual(12);
  expect(repeats(entries.map((entry) => entry.editorial.shortInfo))).toBeLessThanOrEqual(3);
  expect(repeats(entries.map((entry) => entry.editorial.longInfo))).toBe(1);
  for (const entry of entries)
    expect(repeats(["", ...entry.promotions.map((promotion) => promotion.title)]), entry.editorial.slug).toBe(1);
});

test("U2 no text has an unfilled slot, a double space, a space before a comma or an American spelling", () => {
  const copy = [
    ...promotions.flatMap((promotion) => [promotion.title, promotion.description ?? "", promotion.terms ?? ""]),
    ...entries.flatMap(({ editorial }) => [
      editorial.shortInfo,
      editorial.longInfo,
      editorial.terms,
      ...(editorial.offers ?? []).flatMap((offer) => [offer.headline ?? "", offer.exclusions ?? ""]),
    ]),
    ...demoCategories().map((category) => category.body),
  ];
  expect(
    copy.filter((text) =>
      /[{}>]|undefined|NaN|null|\S {2,}\S| [,.]|color\b|favorite|lorem/.test(text.replace("<b>more</b>", "more")),
    ),
  ).toEqual([]);
});

test("U2 every title begins with a capital, a number or a pound sign, and all but the known long one fit a card", () => {
  for (const promotion of promotions) expect(promotion.title).toMatch(/^[A-Z0-9£]/);
  expect(
    promotions.filter((promotion) => promotion.title.length > 90).map((promotion) => promotion.promotionId),
  ).toEqual([90000014]);
});

test("U2 a headline says what is free", () => {
  const headlines = offers.map(({ headline }) => headline ?? "").filter((headline) => headline.startsWith("Free"));
  expect(headlines.length).toBeGreaterThan(10);
  expect(headlines).not.toContain("Free extra");
  for (const headline of headlines) expect(headline).not.toMatch(/ (?:for|on|to|with|of|a|the|and)$/);
});

test("O7 the number in a code is the one in its title", () => {
  for (const promotion of promotions) {
    const promised = /^(?:Extra |Members’ price: |Weekend code: |Save )?£?(\d+)(?:%| off)/.exec(promotion.title)?.[1];
    const code = promotion.voucher?.code;
    if (promised !== undefined && code) expect(code, promotion.title).toContain(promised);
  }
});

test("U2 a text with “up to” also states the minimum", () => {
  for (const promotion of promotions)
    if (/\bup to \d+%/i.test(promotion.title)) expect(promotion.description).toMatch(/from \d+% to \d+%/);
});

test("B4 each brand shows most retailers, hides some and features some", () => {
  for (const brand of [
    "chalkside",
    "wardlight",
    "kindhold",
    "beaconry",
    "mustermark",
    "tinrattle",
    "tillside",
    "freshledge",
  ]) {
    const hidden = entries.filter((entry) => entry.editorial.brands?.hiddenFrom?.includes(brand)).length;
    const featured = entries.filter((entry) => entry.editorial.brands?.featuredOn?.includes(brand)).length;
    expect(hidden, brand).toBeGreaterThan(5);
    expect(hidden, brand).toBeLessThan(60);
    expect(featured, brand).toBeGreaterThan(5);
  }
});

test("D4 every category's text is long enough to be collapsed", () => {
  for (const category of demoCategories()) expect(category.body.length, category.slug).toBeGreaterThan(400);
});

/**
 * What a shopkeeper would let into a category from shops of another: retailers by the trade in their names, and offers by words of their titles.
 * Kept by hand, apart from the words that the catalogue is written from.
 */
const guests: Record<string, { retailers?: RegExp; offers: RegExp }> = {
  "kids-and-baby": {
    offers: /children’s (watches|bikes|bed sets)|school satchels|baby toiletries|picture books|playhouses/i,
  },
  "shoes-and-bags": { offers: /rucksacks|backpacks|book bags/i },
  "sports-and-outdoors": {
    retailers: / (Boots|Shoes)$/,
    offers: /walking boots|trail shoes|hiking sandals|football boots|sports goggles/i,
  },
  "books-learning-and-gifts": { offers: /gift sets/i },
  "diy-and-garden": { offers: /planted pots/i },
  "food-and-drink": { offers: /bake-at-home kits/i },
  "eating-out": { offers: /afternoon tea/i },
  electronics: { offers: /refurbished phones/i },
  motoring: { offers: /(car|breakdown) cover|electric car tariffs/i },
  "holidays-and-flights": { offers: /airport collections|seven-day hire|travel cover/i },
};

test("D4 a retailer's own category is its first, and it is listed in others only if it sells their goods", () => {
  const owners = new Map(menuCategories.flatMap(({ slug, retailers }) => retailers.map((one) => [one.slug, slug])));
  for (const { editorial } of entries) {
    const [own, ...others] = editorial.categories;
    expect(own, editorial.slug).toBe(owners.get(editorial.slug) ?? own);
    for (const other of others) expect(editorial.name, other).toMatch(guests[other]?.retailers ?? /nobody/);
  }
});

test("D4 an offer is in its retailer's own category and in those of the goods its title names only", () => {
  const found = new Set<string>();
  for (const { editorial, promotions: own } of entries) {
    for (const offer of editorial.offers ?? []) {
      const { title } = own.find(({ promotionId }) => String(promotionId) === offer.networkOfferId)!;
      const [first, ...others] = offer.categories ?? [];
      expect(first, title).toBe(editorial.categories[0]);
      for (const other of others) {
        expect(title, other).toMatch(guests[other]?.offers ?? /nothing/);
        found.add(other);
      }
      for (const [slug, { offers: words }] of Object.entries(guests))
        if (words.test(title)) expect(offer.categories, title).toContain(slug);
    }
  }
  expect(found.size, "categories with offers of other shops").toBeGreaterThan(3);
});

test("C2 too few retailers or offers are refused", () => {
  expect(() => [...demoCatalogue({ ...demo, retailers: 10 })]).toThrow(/at least \d+ retailers/);
  expect(() => [...demoCatalogue({ ...demo, offers: 100 })]).toThrow(/at least \d+ offers/);
});

test("D6 the seeded menus link to categories and retailers that every brand shows", () => {
  expect(menuCategories.map(({ slug, name }) => ({ slug, name }))).toEqual(
    allCategories.map(({ slug, name }) => ({ slug, name })),
  );
  for (const category of menuCategories) {
    expect(category.retailers.length, category.slug).toBeGreaterThan(0);
    for (const retailer of category.retailers) {
      const { editorial } = bySlug(retailer.slug);
      expect(editorial).toMatchObject({ name: retailer.name, status: "active", brands: { hiddenFrom: [] } });
      expect(editorial.categories[0]).toBe(category.slug);
    }
  }
});
