import type pg from "pg";
import { mulberry32 } from "../search/synthetic-catalogue.ts";
import { misspell } from "../search/typos.ts";

/** A kind of page, and addresses of it all over the catalogue. */
export interface PageKind {
  name: string;
  addresses: readonly string[];
  /** True where an answer is kept for some seconds whatever is announced: each address is asked once. */
  isAskedOnce?: true;
}

export interface Addresses {
  visitors: PageKind[];
  members: PageKind[];
  clickOut: PageKind;
}

const MEMBERS = { "home, signed in": "/", profile: "/profile", money: "/money", purchases: "/money/purchases" };
/** What offers of bench/admin/catalogue-rows.ts are about: each word is in a sixth of them. */
const COMMON = ["boots", "books", "bulbs", "blankets", "bags", "brushes"];

interface Shown {
  slug: string;
  publicId: string;
  title: string;
  retailerSlug: string;
  retailerName: string;
}

/** Chooses what is asked of the default brand: as many kinds of the same at each size. */
export async function chooseAddresses(pool: pg.Pool, { max }: { max: number }): Promise<Addresses> {
  const offers = await findOffers(pool, { max, where: "true" });
  const followed = await findOffers(pool, {
    max,
    where: "network.slug = 'awin' and offer.kind in ('cashback', 'code', 'deal')",
  });
  const { rows: categories } = await pool.query<{ slug: string }>(
    `select category.slug from category_counts counted join categories category on category.id = counted.category_id
     join brands brand on brand.id = counted.brand_id where brand.is_default and counted.live_offers > 0 order by category.slug`,
  );
  if (offers.length === 0 || followed.length === 0 || categories.length === 0)
    throw new Error("The club has too few live offers to measure.");
  const random = mulberry32(5);
  const search = (words: string) => `/search?q=${encodeURIComponent(words)}`;
  const suggest = (typed: string) => `/api/suggestions?q=${encodeURIComponent(typed.toLowerCase())}`;
  const names = offers.map(({ retailerName }) => retailerName);
  const visitors: PageKind[] = [
    { name: "home", addresses: ["/"] },
    { name: "category", addresses: categories.map(({ slug }) => `/categories/${slug}`) },
    { name: "retailer", addresses: offers.map(({ retailerSlug }) => `/retailers/${retailerSlug}`) },
    { name: "offer", addresses: offers.map(({ slug, publicId }) => `/offers/${slug}?offer=${publicId}`) },
    { name: "search, an offer's title", addresses: offers.map(({ title }) => search(title)) },
    { name: "search, a name with a typo", addresses: names.map((name) => search(misspell(name, random))) },
    { name: "search, a word of many offers", addresses: COMMON.map(search) },
    { name: "search, nothing there", addresses: ["zzxqy vvkkw", "qwertyuiopasdf", "!(&|<->:*)"].map(search) },
    { name: "suggestions, a letter", addresses: [..."abcdefghijklmnopqrstuvwxyz"].map(suggest), isAskedOnce: true },
    {
      name: "suggestions, half a name",
      addresses: unique(names.map((name, index) => name.slice(0, 3 + (index % 6)))).map(suggest),
      isAskedOnce: true,
    },
  ];
  return {
    visitors,
    members: Object.entries(MEMBERS).map(([name, address]) => ({ name, addresses: [address] })),
    clickOut: { name: "click-out", addresses: followed.map(({ publicId }) => `/go/offers/${publicId}`) },
  };
}

async function findOffers(pool: pg.Pool, { max, where }: { max: number; where: string }): Promise<Shown[]> {
  const { rows } = await pool.query<Shown>(
    `select offer.slug, offer.public_id as "publicId", offer.title, retailer.slug as "retailerSlug", retailer.name as "retailerName"
     from brands brand cross join lateral live_offers(brand.id, now()) offer join retailers retailer on retailer.id = offer.retailer_id
     join networks network on network.id = offer.network_id where brand.is_default and ${where} order by md5(offer.public_id) limit $1`,
    [max],
  );
  return rows;
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.map((text) => text.toLowerCase()))];
}
