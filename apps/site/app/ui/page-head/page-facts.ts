/** Structured data of pages, in the vocabulary of schema.org (U3). json-ld.tsx writes it. */

/** Every address in it is absolute: `origin` (scheme, host and port) with a path. */
type Facts = Record<string, unknown>;

export function crumbFacts(origin: string, crumbs: readonly { name: string; path: string }[]): Facts {
  return {
    "@type": "BreadcrumbList",
    itemListElement: crumbs.map(({ name, path }, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name,
      item: origin + path,
    })),
  };
}

/** Returns the club and its search, for the home page alone. */
export function siteFacts(origin: string, brand: { name: string; strapline: string; supportEmail: string }): Facts {
  return {
    "@type": "WebSite",
    name: brand.name,
    description: brand.strapline,
    url: `${origin}/`,
    inLanguage: "en-GB",
    publisher: { "@type": "Organization", name: brand.name, url: `${origin}/`, email: brand.supportEmail },
    potentialAction: {
      "@type": "SearchAction",
      target: { "@type": "EntryPoint", urlTemplate: `${origin}/search?q={search_term_string}` },
      "query-input": "required name=search_term_string",
    },
  };
}

/** Returns a live offer with its seller and its club. It has no price, because the retailer sets that. */
export function offerFacts(
  origin: string,
  offer: {
    title: string;
    headline: string;
    description: string;
    startsAt: Date;
    endsAt: Date | null;
    retailer: { name: string; slug: string };
    categories: readonly { name: string }[];
  },
  { path, brandName }: { path: string; brandName: string },
): Facts {
  const { title, headline, description, startsAt, endsAt, retailer, categories } = offer;
  return {
    "@type": "Offer",
    name: headline && !title.includes(headline) ? `${headline}: ${title}` : title,
    ...(description && { description }),
    ...(categories[0] && { category: categories[0].name }),
    url: origin + path,
    validFrom: startsAt.toISOString(),
    ...(endsAt && { validThrough: endsAt.toISOString() }),
    seller: { "@type": "Organization", name: retailer.name, url: `${origin}/retailers/${retailer.slug}` },
    offeredBy: { "@type": "Organization", name: brandName, url: `${origin}/` },
  };
}

/** Returns a list of pages, such as a retailer's offers, best first. */
export function listFacts(origin: string, name: string, items: readonly { name: string; path: string }[]): Facts {
  return {
    "@type": "ItemList",
    name,
    numberOfItems: items.length,
    itemListElement: items.map((item, index) => ({
      "@type": "ListItem",
      position: index + 1,
      name: item.name,
      url: origin + item.path,
    })),
  };
}
