import type { Brand } from "@farthing/core/brands/brand.ts";
import { canonicalOrigin } from "@farthing/core/brands/canonical-origin.ts";
import { findFaqs } from "@farthing/core/faqs/queries.server.ts";
import { paths } from "@farthing/core/paths.ts";
import {
  ADDRESSES_PER_FILE,
  countSitemapEntries,
  findSitemapEntries,
  type SitemapEntry,
  type SitemapKind,
} from "@farthing/core/sitemap/queries.server.ts";
import type { StaleReads } from "@farthing/db/stale-reads.ts";
import escapeHtml from "escape-html";
import { Hono } from "hono";
import { LRUCache } from "lru-cache";
import type { AppEnv } from "../app-env.ts";
import { createAllowances } from "../pages/allowances.ts";
import { plainPage } from "../http/plain-page.ts";

export interface SitemapOptions {
  readStale: StaleReads;
  /** False on staging, which search engines must not list. */
  isPublic: boolean;
  now?: () => Date;
  /** Monotonic, in milliseconds. */
  clock?: () => number;
}

/** The pages that every brand has, besides its legal pages. */
const standingPages = [paths.home, paths.retailers, paths.faqs, paths.partners];
const kinds: readonly SitemapKind[] = ["categories", "retailers", "offers"];

/**
 * Closed to search engines: personal pages, and links that lead away. Search pages state by themselves whether they may
 * be indexed.
 */
const closed = ["/go/", "/api/", "/redirect", paths.pay, paths.profile, paths.login, paths.logout];

const TEN_MINUTES = 10 * 60_000;
/** Maximum size of the cached files: a full one takes 2 MB, and a brand of a hundred thousand offers has a dozen. */
const MAX_BYTES = 64 * 1024 * 1024;
/**
 * Files that one address may have made: a full one is ten thousand rows. Cached files are free, so a search engine
 * needs a dozen in ten minutes.
 */
const makingAllowance = { burst: 60, perSecond: 0.5 };
/** Counts for a file that is still being made. */
const UNKNOWN_BYTES = 4096;

/**
 * /robots.txt, /sitemap.xml and the files it names, per brand (U3, sitemaps.org). Each file is made at the first
 * request and cached for ten minutes, so that repeated requests cost no queries. The XML is ours: two elements, against
 * streams to be collected from the `sitemap` package.
 */
export function sitemapRoutes({
  readStale,
  isPublic,
  now = () => new Date(),
  clock = () => performance.now(),
}: SitemapOptions): Hono<AppEnv> {
  const kept = new LRUCache<string, { made: Promise<string | null>; bytes: number }>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ bytes }, key) => bytes + 2 * key.length,
    ttl: TEN_MINUTES,
    ttlResolution: 0,
    perf: { now: clock },
  });

  const makings = createAllowances({ ...makingAllowance, now: clock });

  /** @throws SlowDown if `address` has had too many files made. */
  async function keep(key: string, address: string, make: () => Promise<string | null>): Promise<string | null> {
    const known = kept.get(key);
    if (known) return known.made;
    const seconds = makings.take(address);
    if (seconds > 0) throw new SlowDown(seconds);
    const made = make();
    const entry = { made, bytes: UNKNOWN_BYTES };
    kept.set(key, entry);
    made.then(
      (text) => {
        if (kept.peek(key) !== entry) return;
        // A missing file is not cached: made-up numbers take no memory.
        if (text === null) kept.delete(key);
        else kept.set(key, { made, bytes: 2 * text.length });
      },
      () => kept.delete(key), // a failure is not cached
    );
    return made;
  }

  async function index(brand: Brand, origin: string): Promise<string> {
    const counts = await readStale((db) => countSitemapEntries(db, { brandId: brand.id, now: now() }));
    const files = kinds.flatMap((kind) =>
      Array.from({ length: Math.ceil(counts[kind] / ADDRESSES_PER_FILE) }, (_, number) => `${kind}-${number + 1}`),
    );
    const rows = ["pages-1", ...files].map(
      (file) => `<sitemap><loc>${escapeHtml(`${origin}/sitemaps/${file}.xml`)}</loc></sitemap>`,
    );
    return xml("sitemapindex", rows);
  }

  async function fileOf(
    brand: Brand,
    origin: string,
    kind: SitemapKind | "pages",
    file: number,
  ): Promise<string | null> {
    const entries =
      kind === "pages"
        ? [
            ...standingPages,
            ...brand.legalPages.map(({ slug }) => paths.legalPage(slug)),
            ...(await answers(brand)),
          ].map(timeless)
        : await readStale((db) => findSitemapEntries(db, { brandId: brand.id, now: now(), kind, file }));
    return entries.length === 0
      ? null
      : xml(
          "urlset",
          entries.map((entry) => address(origin, entry)),
        );
  }

  /** Returns the paths of subjects and questions; the first subject is /faq itself. */
  async function answers(brand: Brand): Promise<string[]> {
    const subjects = (await readStale((db) => findFaqs(db, { brand }))).filter(({ isHidden }) => !isHidden);
    return subjects.flatMap(({ slug, faqs }, index) => [
      ...(index > 0 ? [paths.faqCategory(slug)] : []),
      ...faqs.map((faq) => paths.faq({ category: slug, slug: faq.slug })),
    ]);
  }

  const routes = new Hono<AppEnv>();
  routes.onError((error) => {
    if (!(error instanceof SlowDown)) throw error;
    const text = `Your network has requested many of these files. Try again in ${error.seconds} seconds.`;
    const headers = { "Retry-After": String(error.seconds) };
    return plainPage({ status: 429, title: "One moment, please", text, headers });
  });
  return routes
    .get("/robots.txt", (context) => {
      const origin = ownOrigin(context.get("visit"));
      const rules = isPublic ? closed.map((path) => `Disallow: ${path}`) : ["Disallow: /"];
      const lines = ["User-agent: *", ...rules, ...(isPublic ? ["", `Sitemap: ${origin}/sitemap.xml`] : []), ""];
      return answer(lines.join("\n"), "text/plain; charset=utf-8");
    })
    .get("/sitemap.xml", async (context) => {
      const { brand } = context.get("visit");
      const origin = ownOrigin(context.get("visit"));
      const text = await keep(`${origin} index`, context.get("clientAddress"), () => index(brand, origin));
      return text === null ? context.notFound() : answer(text, "application/xml; charset=utf-8");
    })
    .get("/sitemaps/:file{(pages|categories|retailers|offers)-[1-9][0-9]{0,3}\\.xml}", async (context) => {
      const { brand } = context.get("visit");
      const origin = ownOrigin(context.get("visit"));
      const name = context.req.param("file");
      const [kind, number] = name.slice(0, -".xml".length).split("-") as [SitemapKind | "pages", string];
      if (kind === "pages" && number !== "1") return context.notFound();
      const text = await keep(`${origin} ${name}`, context.get("clientAddress"), () =>
        fileOf(brand, origin, kind, Number(number)),
      );
      return text === null ? context.notFound() : answer(text, "application/xml; charset=utf-8");
    });
}

class SlowDown extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super("This address requests too many sitemap files.");
    this.seconds = seconds;
  }
}

const ownOrigin = ({ brand, origin }: AppEnv["Variables"]["visit"]) => canonicalOrigin(brand, origin);

const timeless = (path: string): SitemapEntry => ({ path, changedAt: null });

function address(origin: string, { path, changedAt }: SitemapEntry): string {
  const changed = changedAt ? `<lastmod>${changedAt.toISOString().slice(0, 10)}</lastmod>` : "";
  return `<url><loc>${escapeHtml(origin + path)}</loc>${changed}</url>`;
}

function xml(root: "sitemapindex" | "urlset", rows: string[]): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join("\n")}\n</${root}>\n`;
}

/** Shared caches may store it for an hour. */
function answer(text: string, type: string): Response {
  return new Response(text, { headers: { "Content-Type": type, "Cache-Control": "public, max-age=3600" } });
}
