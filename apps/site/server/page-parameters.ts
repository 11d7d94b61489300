import type { z } from "zod";
import { factsOf, pageEntries, type PagePath, type pages } from "../pages.ts";
import { findPage, withoutData } from "./find-page.ts";

type Declared<Path extends PagePath> = (typeof pages)[Path] extends { parameters: infer Parameters } ? Parameters : {};

/** The parameters of a page once they are read, each of the type that its schema returns. */
export type PageParameters<Path extends PagePath> = {
  [Name in keyof Declared<Path>]: Declared<Path>[Name] extends z.ZodType<infer Value> ? Value : never;
};

/**
 * Returns the query of a request to the page at `path`: the parameters that pages.ts declares for it, and no others.
 * Where one comes twice, the first counts. Pages read their query through this function alone (architecture.test.ts).
 */
export function readParameters<Path extends PagePath>({ url }: Pick<Request, "url">, path: Path): PageParameters<Path> {
  const { searchParams } = new URL(url);
  const declared = factsOf(path).parameters ?? {};
  const read = Object.entries(declared).map(([name, schema]) => [name, schema.parse(searchParams.get(name))]);
  return Object.fromEntries(read) as PageParameters<Path>;
}

interface CompiledParameter {
  name: string;
  schema: z.ZodType;
  /** What the schema returns where the parameter is missing. */
  missing: unknown;
}

const parametersByPage = new Map<PagePath, CompiledParameter[]>(
  pageEntries.map(([path, { parameters = {} }]) => [
    path,
    Object.entries(parameters).map(([name, schema]) => ({ name, schema, missing: schema.parse(null) })),
  ]),
);

/**
 * Returns the canonical address of the page that `address` (path and query, as a browser sends them) leads to. Two
 * addresses that differ in nothing that the page reads have the same one, so the page cache renders them once. The
 * path is written as in pages.ts; the query has the declared parameters in the declared order, without those whose
 * value means the same as their absence. An address of no page loses its query; anything that is not a path is
 * returned unchanged.
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

function canonicalQuery(page: PagePath, raw: string): string {
  const parameters = parametersByPage.get(page) ?? [];
  if (parameters.length === 0) return "";
  const given = new URLSearchParams(raw);
  const query = new URLSearchParams();
  for (const { name, schema, missing } of parameters) {
    const value = given.get(name);
    if (value === null) continue;
    const read = schema.parse(value);
    // The schema of free text cleans it. All other values keep their spelling.
    if (read !== missing) query.set(name, typeof missing === "string" && typeof read === "string" ? read : value);
  }
  return query.toString();
}
