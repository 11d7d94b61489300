import { cachedRead } from "@farthing/core/catalogue/cached-read.ts";
import { paths } from "@farthing/core/paths.ts";
import { suggest } from "@farthing/core/search/queries.server.ts";
import { cleanQuery } from "@farthing/core/search/schema.ts";
import { suggestionsQuery, type SuggestionsAnswer } from "@farthing/core/search/suggestions.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import { createAllowances } from "../pages/allowances.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { hostnameOf, incomingOf, requestOrigin, type OriginOptions } from "../http/request-origin.ts";

export interface SuggestionServices {
  db: Db;
  brands: BrandLookup;
  config: OriginOptions;
  now(): Date;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

/** Questions from one address: a fast typist asks ten a second, and a few sit behind one address. */
const allowance = { burst: 200, perSecond: 40 };

/**
 * GET /api/suggestions?q=…: what the search field offers while somebody types (product.md D2, D6). The same for everybody at a brand's host, so it is
 * remembered here for some seconds and by the browser for half a minute: going back a letter asks nobody.
 */
export function suggestionsApi({ db, brands, config, now, clock }: SuggestionServices): Hono<AppEnv> {
  const allowances = createAllowances({ ...allowance, ...(clock && { now: clock }) });
  const read = cachedRead((options: { brandId: string; now: Date; query: string }) => suggest(db, options), {
    ...(clock && { clock }),
  });
  return new Hono<AppEnv>().get("/api/suggestions", async (context) => {
    const origin = requestOrigin(incomingOf(context), config);
    const brand = origin === null ? null : await brands(hostnameOf(origin));
    if (!brand) return problemResponse(misdirected);
    const asked = suggestionsQuery.safeParse(context.req.queries("q") ?? []);
    if (!asked.success) {
      const errors = asked.error.issues.map(({ message }) => ({ field: "q", message }));
      return problemResponse({ ...badQuery, errors });
    }
    const seconds = allowances.take(context.get("clientAddress"));
    if (seconds > 0) return problemResponse({ ...tooMany, headers: { "Retry-After": String(seconds) } });
    const query = cleanQuery(asked.data).toLowerCase();
    const { retailers, categories, offers } = await read({ brandId: brand.id, now: now(), query });
    const answer: SuggestionsAnswer = {
      retailers: retailers.map(({ slug, name }) => ({ name, path: paths.retailer(slug) })),
      categories: categories.map(({ slug, name, liveOffers }) => ({ name, path: paths.category(slug), liveOffers })),
      offers: offers.map(({ slug, publicId, title, headline, retailer }) => ({
        title,
        headline,
        retailer: retailer.name,
        path: paths.offer({ slug, publicId }),
      })),
    };
    return context.json(answer, 200, { "Cache-Control": "private, max-age=30" });
  });
}

const misdirected: Problem = {
  status: 421,
  title: "No club at this address",
  detail: "This server does not know the name it was called by.",
};
const tooMany: Problem = {
  status: 429,
  title: "Too many questions",
  detail: "Your network asks faster than anybody types. Wait for the seconds in Retry-After.",
};
const badQuery: Problem = {
  status: 400,
  title: "Not a query",
  detail: "Put the parameter below right and ask again.",
};
