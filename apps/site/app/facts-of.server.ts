import { pageFacts, type PageFacts, type PagePath } from "../pages.ts";

/** Returns the path of the route that React Router matched, from the `pattern` of a loader or middleware. */
export function pathOf(pattern: string): PagePath {
  const path = pattern.startsWith("/") ? pattern : `/${pattern}`;
  if (!Object.hasOwn(pageFacts, path)) throw new Error(`The route ${path} is not in apps/site/pages.ts. Add it there.`);
  return path as PagePath;
}

/** Returns the facts of the page that React Router matched. */
export function factsOf(pattern: string): PageFacts {
  return pageFacts[pathOf(pattern)];
}
