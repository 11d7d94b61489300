import { pathAsRouted } from "@farthing/core/partners/rules.ts";
import { pageEntries } from "../pages.ts";

/**
 * The server's own address that a partner's frame starts with (apps/server/partners/redirect-routes.ts): shown inside
 * itself, it would go round in a circle.
 */
const START = "redirect";

const framingByStart = new Map(
  pageEntries
    .filter(([path]) => path !== "/*")
    .map(([path, { framing = "never" }]) => [firstSegment(path), framing] as const)
    .concat([[START, "never"]]),
);

/**
 * Returns whether a page is made for a partner's frame (W9): it answers only with a widget session, and only that
 * partner's page may frame it. `path` may have a query and the router's `.data`. Every path with the page's first
 * segment counts, so that no spelling gets past the check.
 */
export function isFramePage(path: string): boolean {
  return framingByStart.get(firstSegment(path)) === "only";
}

/**
 * Returns whether a partner's frame may show a page at all (W9): not where people type or change what is theirs. `path`
 * may have a query.
 */
export function mayBeFramed(path: string): boolean {
  return framingByStart.get(firstSegment(path)) !== "never";
}

/** Returns the first segment of a path as the router compares it, without an extension such as `.data`. */
function firstSegment(path: string): string {
  return pathAsRouted(path).slice(1).split(/[/.]/, 1)[0] ?? "";
}
