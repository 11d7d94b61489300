import { factsOf } from "../pages.ts";
import { matchedPage } from "./matched-page.server.ts";
import type { PageLook } from "./page-look.ts";

/** Returns the look of the page that React Router matched, from the `pattern` of a loader. */
export function lookOf(pattern: string): PageLook {
  const { name = "errors#show", isBrowsing, bringsSearch, isLean, isStill } = factsOf(matchedPage(pattern));
  const [controller = "", action = ""] = name.split("#");
  return {
    controller,
    action,
    hasAccountStyles: !isBrowsing,
    bringsSearch: bringsSearch ?? false,
    isLean: isLean ?? false,
    isStill: isStill ?? false,
  };
}
