import { pathAsRouted } from "@farthing/core/partners/rules.ts";
import { pageEntries } from "../pages.ts";

const framingByStart = new Map(
  pageEntries.flatMap(([path, { framing }]) =>
    framing === undefined || path === "/*" ? [] : [[firstSegment(path), framing] as const],
  ),
);

/** The first segments of the paths that a partner's frame may show (W9); "" is the front page's. */
export const framedStarts: readonly string[] = [...framingByStart.keys()];

/**
 * Returns whether a page is made for a partner's frame (W9): it answers only with a widget session, and only that
 * partner's page may frame it. `path` may have a query and the router's `.data`. Every path with the page's first
 * segment counts, so that no spelling gets past the check.
 */
export function isFramePage(path: string): boolean {
  return framingByStart.get(firstSegment(path)) === "only";
}

/** Returns whether a path is the gift-card portal's, known or not. */
export function isPortalPath(path: string): boolean {
  return firstSegment(path) === "portal";
}

/**
 * Returns whether a partner's frame may show what is at `path` (W9). Only the pages that pages.ts lists may be framed:
 * no others, no address of the server's own, and no unknown one. `path` may have a query.
 */
export function mayBeFramed(path: string): boolean {
  return framingByStart.has(firstSegment(path));
}

/** Returns the first segment of a path as the router compares it, without an extension such as `.data`. */
function firstSegment(path: string): string {
  return pathAsRouted(path).slice(1).split(/[/.]/, 1)[0] ?? "";
}
