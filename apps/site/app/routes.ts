/// <reference types="vite/client" />
import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";
import { accessOf, developmentPageEntries, pageEntries, type PageFacts } from "../pages.ts";

type Access = ReturnType<typeof accessOf>;

/** Returns the routes of the pages for `access`. */
function pagesFor(...access: Access[]) {
  const entries = import.meta.env.MODE === "development" ? [...pageEntries, ...developmentPageEntries] : pageEntries;
  const wanted = entries.filter(([, facts]) => access.includes(accessOf(facts)));
  return wanted.map(([path, { file }]: readonly [string, PageFacts]) =>
    path === "/" ? index(file) : route(path.slice(1), file),
  );
}

/**
 * All addresses of the members' site, from pages.ts. The server answers /go, /art, /webhooks and the health
 * checks itself.
 */
export default [
  ...pagesFor("public", "both"),
  layout("visitors-only.ts", pagesFor("visitor")),
  layout("members-only.ts", pagesFor("member")),
] satisfies RouteConfig;
