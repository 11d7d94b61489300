import { pageEntries, type AdminPath } from "../pages.ts";

/** What the page of a list lets a person choose, read from its markup. */
export interface ListControls {
  path: string;
  /** The orders that headings offer, each in both directions. */
  sorts: string[];
  filters: { name: string; kind: "choice" | "text" | "date"; values: string[] }[];
  hasNext: boolean;
}

export interface WalkedPage {
  pattern: AdminPath;
  address: string;
  status: number;
  /** Null: the page has no list. */
  list: ListControls | null;
}

/** Pages that belong to the sign-in, and the one for what is not found. */
const isOutside = (path: string) => /^\/admin\/(sign-in|join|\*)/.test(path);
const isPage = ([path, { file }]: (typeof pageEntries)[number]) => file.endsWith("-page.tsx") && !isOutside(path);

const screens = pageEntries
  .filter(isPage)
  .map(([pattern]) => ({
    pattern,
    places: pattern.split(":").length - 1,
    regex: new RegExp(`^${pattern.replaceAll(/:[a-z]+/gi, "[^/?#]+")}$`),
  }))
  .sort((one, other) => one.places - other.places);

/** Returns the page that an address leads to; null: none with a screen. */
export function patternOf(address: string): AdminPath | null {
  const path = address.split(/[?#]/, 1)[0] ?? "";
  return screens.find(({ regex }) => regex.test(path))?.pattern ?? null;
}

/**
 * Opens every screen of the admin: those without a record first, then up to `perPattern` addresses of each other page, as
 * links lead to them. A new page of pages.ts is walked by itself, if a link leads there. Yields each page once.
 */
export async function* walkAdmin(
  ask: (address: string) => Promise<Response>,
  { perPattern, also = [] }: { perPattern: number; also?: readonly string[] },
): AsyncGenerator<WalkedPage> {
  const queue = [...screens.filter(({ places }) => places === 0).map(({ pattern }) => pattern as string), ...also];
  const seen = new Set(queue);
  const counts = new Map<string, number>();
  for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
    const pattern = patternOf(address);
    if (pattern === null) continue;
    const answer = await ask(address);
    const html = await answer.text();
    yield { pattern, address, status: answer.status, list: readList(html, address) };
    for (const link of linksOf(html)) {
      const to = patternOf(link);
      const isOwnView = link.startsWith(`${address}?`) && pattern.includes(":");
      if (to === null || seen.has(link) || (link.includes("?") && !isOwnView) || !to.includes(":")) continue;
      const key = isOwnView ? `${to}?` : to;
      const count = counts.get(key) ?? 0;
      if (count >= perPattern) continue;
      counts.set(key, count + 1);
      seen.add(link);
      queue.push(link);
    }
  }
}

const plain = (text: string) => text.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#x27;", "'");

function linksOf(html: string): string[] {
  return [...html.matchAll(/<a [^>]*href="(\/admin\/[^"#]*)"/g)].map(([, href]) => plain(href ?? ""));
}

/** Reads the controls of a list (app/kit/list-screen.tsx). */
function readList(html: string, address: string): ListControls | null {
  if (!html.includes('<div class="list">')) return null;
  const form = /<form class="filters" action="([^"]*)">(.*?)<\/form>/s.exec(html);
  const fields = form?.[2] ?? "";
  const choices = [...fields.matchAll(/<select [^>]*name="([^"]+)"[^>]*>(.*?)<\/select>/gs)]
    .filter(([, name]) => name !== "size")
    .map(([, name = "", options = ""]) => ({
      name: plain(name),
      kind: "choice" as const,
      values: [...options.matchAll(/<option value="([^"]+)"/g)].map(([, value]) => plain(value ?? "")),
    }));
  const inputs = [...fields.matchAll(/<input [^>]*>/g)].flatMap(([input]) => {
    const [name, type] = [/name="([^"]+)"/.exec(input)?.[1], /type="([^"]+)"/.exec(input)?.[1]];
    if (name === undefined || (type !== "search" && type !== "date")) return [];
    return [{ name, kind: type === "date" ? ("date" as const) : ("text" as const), values: [] }];
  });
  const sorted = [...html.matchAll(/<th [^>]*><a href="([^"]*)\?([^"]*)"/g)];
  const sorts = sorted.flatMap(([, , query]) => new URLSearchParams(plain(query ?? "")).get("sort") ?? []);
  const own = form?.[1] ?? sorted[0]?.[1];
  return {
    path: plain(own ?? address.split("?", 1)[0] ?? ""),
    sorts: [...new Set(sorts.map((sort) => sort.replace(/^-/, "")))].flatMap((sort) => [sort, `-${sort}`]),
    filters: [...choices, ...inputs],
    hasNext: html.includes('rel="next"'),
  };
}
