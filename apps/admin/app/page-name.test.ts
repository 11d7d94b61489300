import { expect, test } from "vitest";
import { pageEntries } from "../pages.ts";
import { pageName } from "./page-name.ts";

test("P7 a page of the admin is named after its module in pages.ts", () => {
  expect(pageName("routes/brands/brand-page", false)).toEqual({ controller: "brands", action: "brand" });
  expect(pageName("routes/home/home-page", false)).toEqual({ controller: "home", action: "home" });
});

test("P7 every page of the admin has a name, and no two have the same one", () => {
  const named = pageEntries
    .filter(([path, { file }]) => file.endsWith("-page.tsx") && path !== "/admin/*")
    .map(([, { file }]) => pageName(`routes/${file.replace(".tsx", "")}`, false));
  for (const { controller, action } of named) expect(`${controller} ${action}`).toMatch(/^[a-z-]+ [a-z-]+$/);
  expect(named).not.toContainEqual({ controller: "errors", action: "show" });
});

test("P7 an error page of the admin is named errors#show, whatever route it happened in", () => {
  const errorPage = { controller: "errors", action: "show" };
  expect(pageName("routes/brands/brand-page", true)).toEqual(errorPage);
  expect(pageName(undefined, false)).toEqual(errorPage);
});
