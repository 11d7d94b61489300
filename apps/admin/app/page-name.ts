import { pageEntries } from "../pages.ts";

/** The names on the body (P7). */
export interface PageName {
  controller: string;
  action: string;
}

/** By the id that the framework gives a route: the file of its module. */
const names = new Map<string, PageName>(
  pageEntries.map(([, { file }]) => {
    const path = file.replace(/\.tsx?$/, "");
    const [controller = "", module = ""] = path.split("/", 2);
    return [`routes/${path}`, { controller, action: module.replace(/-page$/, "") }];
  }),
);

/**
 * Returns the names on the body of a page (P7): the folder of its module in pages.ts, and the module without `-page`. The page of an error is
 * `errors#show`, whatever route it happened in.
 * @param route the id of the matched route; undefined: none
 */
export function pageName(route: string | undefined, isError: boolean): PageName {
  const name = route === undefined || isError ? undefined : names.get(route);
  return name ?? { controller: "errors", action: "show" };
}
