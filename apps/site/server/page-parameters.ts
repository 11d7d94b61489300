import {
  kindSchema,
  minRateSchema,
  letterSchema,
  offerIdSchema,
  offerSortSchema,
  pageSchema,
  slugSchema,
  variantIdSchema,
} from "@farthing/core/catalogue/schema.ts";
import { faqQuery } from "@farthing/core/faqs/schema.ts";
import { querySchema, searchSortSchema } from "@farthing/core/search/schema.ts";
import { z } from "zod";

/** Any text, or null where the parameter is missing. */
const text = z.string().nullable();
/** Whether the parameter is there at all, whatever its value. */
const presence = z
  .string()
  .nullable()
  .transform((value) => value !== null);
const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values).nullable().catch(null);

/**
 * Every page (the paths of app/routes.ts) and the query parameters that it reads, in the order in which the site's own links write them. Pages read
 * their query through `readParameters` alone, and the page cache drops from its keys whatever is not declared here: two addresses that differ in
 * nothing a page reads are one page, rendered once.
 */
export const pageParameters = {
  "/": {},
  "/search": {
    q: querySchema,
    show: oneOf(["offers", "retailers"]),
    kind: kindSchema,
    category: slugSchema,
    rate: minRateSchema,
    sort: searchSortSchema,
    page: pageSchema,
  },
  "/retailers": {
    letter: letterSchema,
    category: slugSchema,
    kind: kindSchema,
    rate: minRateSchema,
    page: pageSchema,
  },
  "/retailers/:slug": { kind: kindSchema, page: pageSchema },
  "/offers/:slug": { offer: offerIdSchema, offer_variant: variantIdSchema, reveal_code: text },
  "/categories/:slug": { kind: kindSchema, rate: minRateSchema, sort: offerSortSchema, page: pageSchema },
  "/faq/:category?/:question?": { q: faqQuery },
  "/favourites": {},
  "/favourites/wanted": { next: text },
  "/alerts/stop": { token: text },
  "/banner-closed": {},
  "/login": { next: text, note: text },
  "/login/code": {},
  "/login/passkey": {},
  "/login/again": { next: text },
  "/forgotten-password": {},
  "/reset-password": { token: text },
  "/confirm-email": { token: text },
  "/undo-email-change": { token: text },
  "/logout": {},
  "/register": { over: presence },
  "/register/details": {},
  "/register/draft": {},
  "/register/sent": {},
  "/verification": { sent: oneOf(["document", "work-email"]) },
  "/verification/attachment": {},
  "/verification/attachment/:id": {},
  "/verification/work-email": { token: text },
  "/digital-id": { show: oneOf(["code"]) },
  "/digital-id/device": {},
  "/digital-id/offline": {},
  "/check": { c: text },
  "/offline": {},
  "/carer-migration": {},
  "/carer-migration/confirm": { token: text },
  "/pay": {},
  "/partners": {},
  "/profile": {},
  "/profile/details": { saved: oneOf(["proof", "yes", "same"]) },
  "/profile/notifications": { saved: presence },
  "/profile/privacy": { note: oneOf(["stays", "too-many", "ready"]) },
  "/profile/privacy/export": {},
  "/profile/privacy/close": {},
  "/unsubscribe": { token: text },
  "/profile/security": { note: text },
  "/profile/security/password": {},
  "/profile/security/emails": {},
  "/profile/security/two-step": {},
  "/profile/security/passkeys": {},
  "/legal/:page": {},
} as const satisfies Record<string, Record<string, z.ZodType>>;

type PagePath = keyof typeof pageParameters;

/** What a page's parameters are once they are read: each as its schema says. */
export type PageParameters<Path extends PagePath> = {
  [Name in keyof (typeof pageParameters)[Path]]: (typeof pageParameters)[Path][Name] extends z.ZodType<infer Value>
    ? Value
    : never;
};

/** The query of a request to the page at `path`: the parameters that the page declares, and no others. Of one that comes twice, the first. */
export function readParameters<Path extends PagePath>({ url }: Pick<Request, "url">, path: Path): PageParameters<Path> {
  const { searchParams } = new URL(url);
  const declared: Record<string, z.ZodType> = pageParameters[path];
  const read = Object.entries(declared).map(([name, schema]) => [name, schema.parse(searchParams.get(name))]);
  return Object.fromEntries(read) as PageParameters<Path>;
}

interface CompiledPage {
  /** Segments of the path, in lower case; null stands for a parameter, which keeps its case. */
  segments: (string | null)[];
  /** Segments without the optional ones at the end. */
  needed: number;
  parameters: { name: string; schema: z.ZodType; missing: unknown }[];
}

/** No page has more; an address may have tens of thousands. */
const mostSegments = 4;

const pagesByStart = Map.groupBy(
  Object.entries(pageParameters as Record<string, Record<string, z.ZodType>>).map(([path, declared]): CompiledPage => {
    const parts = path.split("/").filter(Boolean);
    return {
      segments: parts.map((part) => (part.startsWith(":") ? null : part)),
      needed: parts.filter((part) => !part.endsWith("?")).length,
      parameters: Object.entries(declared).map(([name, schema]) => ({ name, schema, missing: schema.parse(null) })),
    };
  }),
  ({ segments: [first = ""] }) => first ?? "",
);

/**
 * The one address of the page that `address` (path and query, as a browser sends them) leads to: without the parameters that the page does not
 * read, or whose value means what their absence means, in the declared order, the path as app/routes.ts writes it. An address that is no page's
 * loses its query; what is no path of ours at all is returned as it is.
 */
export function canonicalAddress(address: string): string {
  if (!address.startsWith("/") || address.includes("#")) return address;
  const end = address.indexOf("?");
  const pathname = end === -1 ? address : address.slice(0, end);
  const isData = pathname.endsWith(".data");
  const found = findPage(isData ? withoutData(pathname) : pathname);
  if (!found) return pathname;
  const path = isData ? `${found.path === "/" ? "/_" : found.path}.data` : found.path;
  const query = end === -1 ? "" : canonicalQuery(found.page, address.slice(end + 1));
  return query === "" ? path : `${path}?${query}`;
}

/** The path that React Router asks the data of, rather than the document. */
function withoutData(pathname: string): string {
  return pathname.slice(0, -(pathname.endsWith("/_.data") ? "_.data" : ".data").length);
}

/** The page of a path, found as the router finds it: whatever the case, the slashes at the end and the escapes of its fixed parts. */
function findPage(pathname: string): { page: CompiledPage; path: string } | null {
  const parts = pathname.split("/").slice(1);
  // By hand: a pattern for slashes at the end looks at each run of them from each of its slashes.
  while (parts.at(-1) === "") parts.pop();
  if (parts.length > mostSegments) return null;
  const plain = pathname.includes("%") ? decoded(parts) : parts;
  for (const page of pagesByStart.get((plain[0] ?? "").toLowerCase()) ?? []) {
    const { segments, needed } = page;
    if (plain.length < needed || plain.length > segments.length) continue;
    if (
      !plain.every((part, index) => (segments[index] === null ? part !== "" : segments[index] === part.toLowerCase()))
    )
      continue;
    const path = plain.map((part, index) => segments[index] ?? encodedOnce(part, parts[index] ?? part)).join("/");
    return { page, path: `/${path}` };
  }
  return null;
}

/** As they stand where an escape is none: that is how the router takes the whole path then. */
function decoded(parts: string[]): string[] {
  try {
    return parts.map((part) => decodeURIComponent(part));
  } catch {
    return parts;
  }
}

function encodedOnce(plain: string, raw: string): string {
  return plain === raw ? raw : encodeURIComponent(plain);
}

function canonicalQuery({ parameters }: CompiledPage, raw: string): string {
  if (parameters.length === 0) return "";
  const given = new URLSearchParams(raw);
  const query = new URLSearchParams();
  for (const { name, schema, missing } of parameters) {
    const value = given.get(name);
    if (value === null) continue;
    const read = schema.parse(value);
    // Free text is cleaned by its schema; all other values are read from the letters they stand in.
    if (read !== missing) query.set(name, typeof missing === "string" && typeof read === "string" ? read : value);
  }
  return query.toString();
}
