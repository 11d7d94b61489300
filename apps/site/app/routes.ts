/// <reference types="vite/client" />
import { index, layout, route, type RouteConfig } from "@react-router/dev/routes";
import { accessOf, pageEntries, type PageFacts } from "../pages.ts";

type Access = ReturnType<typeof accessOf>;

/** Returns the routes of the pages for `access`. */
function pagesFor(...access: Access[]) {
  const wanted = pageEntries.filter(([, facts]) => access.includes(accessOf(facts)));
  return wanted.map(([path, { file }]: readonly [string, PageFacts]) =>
    path === "/" ? index(file) : route(path.slice(1), file),
  );
}

/** Every address of the members' site, from pages.ts. /go, /art, /webhooks and the health pages are the server's own. */
export default [
  ...pagesFor("public", "both"),
  layout("visitors-only.ts", pagesFor("visitor")),
  layout("members-only.ts", pagesFor("member")),
  // Components in every state, where Vite serves the site from its sources: no build has this route (docs/components.md).
  ...(import.meta.env.MODE === "development" ? [route("examples/:part?/:example?", "ui/examples-page.tsx")] : []),
] satisfies RouteConfig;
