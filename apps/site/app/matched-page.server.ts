import { isPagePath, type PagePath } from "../pages.ts";

/** Returns the path of the page that React Router matched, from the `pattern` of a loader or middleware. */
export function matchedPage(pattern: string): PagePath {
  const path = pattern.startsWith("/") ? pattern : `/${pattern}`;
  if (!isPagePath(path)) throw new Error(`The route ${path} is not in apps/site/pages.ts. Add it there.`);
  return path;
}
