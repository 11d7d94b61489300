import { cachedRead } from "@farthing/core/catalogue/cached-read.ts";
import { paths } from "@farthing/core/paths.ts";
import { suggest } from "@farthing/core/search/queries.server.ts";
import { cleanQuery } from "@farthing/core/search/schema.ts";
import type { WordReader } from "@farthing/core/search/words.server.ts";
import { suggestionsQuery, type SuggestionsAnswer } from "@farthing/core/search/suggestions.ts";
import type { Db } from "@farthing/db/client.ts";
import { Hono } from "hono";
import type { AppEnv } from "../app-env.ts";
import type { BrandLookup } from "../brands/brand-lookup.ts";
import { createAllowances } from "../pages/allowances.ts";
import { problemResponse, type Problem } from "../http/problem.ts";
import { problems } from "../http/problems.ts";
import { hostnameOf, incomingOf, requestOrigin, type OriginOptions } from "../http/request-origin.ts";

export interface SuggestionServices {
  db: Db;
  brands: BrandLookup;
  config: OriginOptions;
  /** Default: reads the words of queries from the database. */
  words?: WordReader;
  now(): Date;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

/** Requests of one address: a fast typist sends ten a second, and several people share an address. */
const ALLOWANCE = { burst: 200, perSecond: 40 };

/**
 * GET /api/suggestions?q=…: the suggestions of the search field (D2, D6). They are the same for everybody at a
 * brand's host, so the server caches them for some seconds and the browser for half a minute: deleting a letter sends
 * no request.
 */
export function suggestionsApi({ db, brands, config, words, now, clock }: SuggestionServices): Hono<AppEnv> {
  const allowances = createAllowances({ ...ALLOWANCE, ...(clock && { now: clock }) });
  const read = cachedRead((options: { brandId: string; now: Date; query: string }) => suggest(db, options, words), {
    ...(clock && { clock }),
  });
  return new Hono<AppEnv>().get("/api/suggestions", async (context) => {
    const origin = requestOrigin(incomingOf(context), config);
    const brand = origin === null ? null : await brands(hostnameOf(origin));
    if (!brand) return problemResponse(problems.unknownHost);
    const parsed = suggestionsQuery.safeParse(context.req.queries("q") ?? []);
    if (!parsed.success) {
      const errors = parsed.error.issues.map(({ message }) => ({ field: "q", message }));
      return problemResponse({ ...badQuery, errors });
    }
    const seconds = allowances.take(context.get("clientAddress"));
    if (seconds > 0) return problemResponse({ ...tooMany, headers: { "Retry-After": String(seconds) } });
    const query = cleanQuery(parsed.data).toLowerCase();
    const { retailers, categories, offers, didYouMean } = await read({ brandId: brand.id, now: now(), query });
    const answer: SuggestionsAnswer = {
      retailers: retailers.map(({ slug, name, rates }) => ({ name, rates, path: paths.retailer(slug) })),
      categories: categories.map(({ slug, name, liveOffers }) => ({ name, path: paths.category(slug), liveOffers })),
      offers: offers.map(({ slug, publicId, title, headline, retailer }) => ({
        title,
        headline,
        retailer: retailer.name,
        path: paths.offer({ slug, publicId }),
      })),
      ...(didYouMean !== null && { didYouMean }),
    };
    return context.json(answer, 200, { "Cache-Control": "private, max-age=30" });
  });
}

const tooMany: Problem = {
  status: 429,
  title: "Too many requests",
  detail: "Your network sends more requests than people type. Wait for the number of seconds in Retry-After.",
};
const badQuery: Problem = {
  status: 400,
  title: "Invalid query",
  detail: "Correct the parameter below and send the request again.",
};
