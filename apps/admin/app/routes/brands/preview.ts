import { findDefaultBrand, findBrandBySlug, listBrands } from "@farthing/core/brands/queries.server.ts";
import { colourFileOf, ownOf } from "@farthing/core/brands/own-colours.ts";
import { coloursOf, startOf, themeNames } from "@farthing/core/brands/theme-colours.server.ts";
import { servicesContext, visitContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { readPairs } from "./brand-form.ts";
import type { Route } from "./+types/preview";

/**
 * The home page of a brand in a look that is not saved: that of `brand`, or of one that does not exist yet, which shows the
 * catalogue of the default brand. Colours that are none are left out.
 */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, previewHome } = context.get(servicesContext);
  const query = Object.fromEntries(new URL(request.url).searchParams);
  const saved = query["brand"] ? await findBrandBySlug(db, query["brand"]) : null;
  const base = saved ?? (await findDefaultBrand(db)) ?? (await listBrands(db))[0];
  if (!base) throw refused(404, { title: "Nothing to show", text: "The preview needs the catalogue of a brand." });
  const theme = themeNames.includes(query["theme"] ?? "") ? (query["theme"] ?? "") : base.theme;
  const start = startOf(theme);
  const pairs = readPairs(query);
  const own = pairs ? ownOf(pairs, start) : {};
  const brand = {
    ...base,
    ...(saved ? {} : { name: words(query["name"], 60) || "New brand", banner: null, menu: [] }),
    ...(saved
      ? {}
      : {
          strapline: words(query["strapline"], 160) || "Its strapline",
          audience: words(query["audience"], 160) || "its members",
        }),
    ...{ theme, colours: coloursOf(theme, own), colourFile: colourFileOf(theme, own) },
  };
  const html = await previewHome(brand, context.get(visitContext).origin);
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "X-Frame-Options": "SAMEORIGIN",
      "Content-Security-Policy":
        "default-src 'none'; style-src 'self'; img-src 'self' data:; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'",
    },
  });
}

const words = (text: string | undefined, max: number) =>
  (text ?? "").replaceAll(/[\u0000-\u001f\u007f]/g, " ").slice(0, max);
