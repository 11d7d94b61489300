import { adminPages } from "../support/admin-pages.ts";
import type { View } from "./views.ts";

/** Each page of the admin, light and dark, on a tablet and on a desk. It belongs to no brand, so the first brand's host shows it. */
export const adminViews: readonly View[] = Object.entries(adminPages).flatMap(
  ([route, { path, opensFirst, links = [] }]) =>
    (["light", "dark"] as const).map((scheme): View => ({
      name: `admin${route.slice("/admin".length).replaceAll(/[/:]+/g, "-")}-${scheme}`,
      path,
      as: "operator",
      widths: [768, 1440],
      ...(scheme === "dark" && { scheme }),
      ...(opensFirst && {
        act: async (page) => {
          await page.locator("table tbody a").first().click();
          for (const link of links) await page.locator(link).first().click();
        },
      }),
    })),
);
