import { categoryArt } from "@farthing/art/category-art.ts";
import { retailerMark } from "@farthing/art/retailer-mark.ts";
import type { Db } from "@farthing/db/client.ts";
import { artRoutes } from "./art-routes.ts";
import { findArtName } from "./find-art-name.ts";

/** Returns the routes of the drawings of this database's retailers and categories. */
export function openArt(db: Db): ReturnType<typeof artRoutes> {
  return artRoutes({
    findName: (kind, slug) => findArtName(db, kind, slug),
    draw: (kind, subject) => (kind === "retailers" ? retailerMark(subject) : categoryArt(subject)),
  });
}
