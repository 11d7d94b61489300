import { categoryArt } from "@farthing/art/category-art.ts";
import { giftCardArt } from "@farthing/art/gift-card-art.ts";
import { retailerMark } from "@farthing/art/retailer-mark.ts";
import type { Db } from "@farthing/db/client.ts";
import { artRoutes } from "./art-routes.ts";
import { findArtName } from "./find-art-name.ts";

const drawers = { retailers: retailerMark, categories: categoryArt, "gift-cards": giftCardArt } as const;

/** Returns the routes of the drawings of this database's retailers, categories and gift cards. */
export function openArt(db: Db): ReturnType<typeof artRoutes> {
  return artRoutes({
    findName: (kind, slug) => findArtName(db, kind, slug),
    draw: (kind, subject) => drawers[kind](subject),
  });
}
