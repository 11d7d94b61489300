import type { Db } from "@farthing/db/client.ts";
import type { ArtKind } from "./art-routes.ts";

/** Returns the name that a drawing is made from: the retailer's or category's, in whichever brand. */
export async function findArtName(db: Db, kind: ArtKind, slug: string): Promise<string | null> {
  const row = await db.selectFrom(kind).select("name").where("slug", "=", slug).executeTakeFirst();
  return row?.name ?? null;
}
