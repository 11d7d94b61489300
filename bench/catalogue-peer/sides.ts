import type { CategoryPage, SearchPage } from "@farthing/core/catalogue/catalogue-view.ts";
import type { SyntheticCatalogue } from "../search/synthetic-catalogue.ts";

/** What is sent for one question. */
export interface Asked {
  path: string;
  /** Posts this as JSON; absent for GET. */
  body?: string;
}

/** What both sides find in a category: as many cards as a page shows, and how many there are. */
export interface Listed {
  total: number;
  publicIds: string[];
}

/** One side of the comparison: how it is asked, and what its answers mean. */
export interface Side {
  name: string;
  listing(slug: string): Asked;
  readListing(text: string): Listed;
  search(query: string): Asked;
  readSearch(text: string): SearchPage;
}

export const farthing: Side = {
  name: "Farthing",
  listing: (slug) => ({ path: `/categories/${slug}` }),
  readListing(text) {
    const { total, offers } = JSON.parse(text) as CategoryPage;
    return { total, publicIds: offers.map(({ publicId }) => publicId) };
  },
  search: (query) => ({ path: `/search?${new URLSearchParams({ q: query }).toString()}` }),
  readSearch: (text) => JSON.parse(text) as SearchPage,
};

/** What a card shows: the address, the title, the text and the retailer. */
const VENDURE_QUERY = `query Cards($input: SearchInput!) {
  search(input: $input) { totalItems items { sku slug productName productVariantName description facetValueIds } }
}`;

interface VendureAnswer {
  errors?: { message: string }[];
  data?: {
    search: { totalItems: number; items: { sku: string; productName: string; productVariantName: string }[] };
  };
}

/** Vendure's shop API. `perPage` is the number of cards of our pages. */
export function vendure({ retailers, categories, offers }: SyntheticCatalogue, { perPage }: { perPage: number }): Side {
  const slugs = new Map(retailers.map(({ name, slug }) => [name, slug]));
  const categoryOf = new Map(
    offers.map(({ publicId, retailer }) => [publicId, categories[retailers[retailer]!.category]!]),
  );
  const ask = (input: object): Asked => ({
    path: "/shop-api",
    body: JSON.stringify({ query: VENDURE_QUERY, variables: { input: { ...input, take: perPage } } }),
  });
  const read = (text: string) => {
    const { data, errors } = JSON.parse(text) as VendureAnswer;
    if (!data) throw new Error(`Vendure refused: ${errors?.map(({ message }) => message).join("; ")}`);
    return data.search;
  };
  return {
    name: "Vendure",
    listing: (slug) => ask({ collectionSlug: slug }),
    readListing(text) {
      const { totalItems, items } = read(text);
      return { total: totalItems, publicIds: items.map(({ sku }) => sku) };
    },
    search: (query) => ask({ term: query }),
    // Vendure finds products alone. Their retailers and categories count as found too.
    readSearch(text) {
      const { totalItems, items } = read(text);
      return {
        query: "",
        corrected: null,
        didYouMean: null,
        leftOut: [],
        sort: "relevance",
        page: 1,
        pageCount: 1,
        total: totalItems,
        kinds: null,
        retailers: [...new Set(items.map(({ productVariantName }) => productVariantName))].map((name) => ({
          ...{ slug: slugs.get(name)!, name, shortInfo: "", bestRate: null, hasTiers: false, lowestRate: null },
          liveOffers: 0,
        })),
        retailerTotal: new Set(items.map(({ productVariantName }) => productVariantName)).size,
        retailersAreMore: false,
        retailerPage: 1,
        retailerPageCount: 1,
        stopped: null,
        categories: [...new Set(items.map(({ sku }) => categoryOf.get(sku)!))].map(({ slug, name }) => ({
          ...{ slug, name, liveOffers: 0 },
        })),
        offers: items.map(({ sku, productName, productVariantName }) => ({
          ...{
            publicId: sku,
            slug: sku,
            kind: "code",
            title: productName,
            headline: "",
            termsLine: null,
            endsAt: null,
            plusCashback: null,
          },
          ...{ retailer: { slug: slugs.get(productVariantName)!, name: productVariantName }, adultsOnly: false },
        })),
      };
    },
  };
}
