import { route, type RouteConfig } from "@react-router/dev/routes";
import { pageEntries } from "../pages.ts";

/** All addresses of the admin, from pages.ts. */
export default pageEntries.map(([path, { file }]) => route(path.slice(1), `routes/${file}`)) satisfies RouteConfig;
