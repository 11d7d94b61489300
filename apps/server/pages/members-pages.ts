import type { FavouriteKey } from "@farthing/core/favourites/schema.ts";
import { factsOf, isSameForMembers } from "@farthing/site/pages.ts";
import { findPage } from "@farthing/site/server/find-page.ts";
import type { SignedInMember, Visit } from "@farthing/site/server/visit.ts";
import { wholeResponse } from "@farthing/site/server/whole-response.ts";
import { acceptsGzip } from "../http/choose-encoding.ts";
import { fillPage, fillPageAsGzip, type MembersPage } from "./members-page.ts";
import type { PageCache } from "./page-cache.ts";

export interface MembersPagesOptions {
  cache: PageCache<MembersPage>;
  /** Returns the keys of a member's favourites. */
  favouritesOf(memberId: string): Promise<readonly FavouriteKey[]>;
  /** Returns a sentence about a member's money. Asked only where the page has a place for it. */
  moneyOf(memberId: string): Promise<string>;
  /** Returns whether the page at `pathname` asks this member something that it does not ask others. */
  asksMember(visit: Visit, pathname: string): Promise<boolean>;
  telemetryUserOf(member: { brandId: string; memberId: string }): string;
  onCache(outcome: "hit" | "miss"): void;
}

/**
 * Answers members with pages that were rendered once for all of them, filled with their own words
 * (docs/decisions/032-pages-for-members.md).
 */
export function membersPages(options: MembersPagesOptions) {
  const { cache, favouritesOf, moneyOf, telemetryUserOf, asksMember, onCache } = options;
  return {
    /** Returns the shared page at the canonical address `path`; null where each member gets a page of their own. */
    async find(visit: Visit, path: string): Promise<MembersPage | null> {
      const pathname = path.split("?", 1)[0] ?? path;
      const found = findPage(pathname);
      if (!found || !isSameForMembers(factsOf(found.page)) || (await asksMember(visit, pathname))) return null;
      const hit = cache.peek(visit.origin, path);
      if (hit) onCache("hit");
      const { page } = hit ? { page: hit } : await cache.fetch(visit.origin, path);
      if (page && !hit) onCache("miss");
      return page;
    },

    async answer(
      page: MembersPage,
      request: Request,
      { id, name, brandId }: SignedInMember & { brandId: string },
    ): Promise<Response> {
      const telemetryUser = telemetryUserOf({ brandId, memberId: id });
      const [favourites, money] = await Promise.all([
        favouritesOf(id),
        page.parts.some(({ hole }) => hole === "money") ? moneyOf(id) : "",
      ]);
      const words = { name, telemetryUser, money, favourites };
      const headers = new Headers(page.headers);
      headers.set("Cache-Control", "private, no-store");
      headers.set("Vary", "Cookie, Accept-Encoding");
      const isGzip = acceptsGzip(request.headers.get("accept-encoding") ?? undefined);
      if (isGzip) headers.set("Content-Encoding", "gzip");
      if (request.method === "HEAD") return new Response(null, { status: 200, headers });
      const body = isGzip ? await fillPageAsGzip(page, words) : fillPage(page, words);
      return wholeResponse(body, { status: 200, headers });
    },
  };
}
