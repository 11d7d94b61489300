import type { Db } from "@farthing/db/client.ts";
import type { ArtKind } from "./art-routes.ts";

const tables = { retailers: "retailers", categories: "categories", "gift-cards": "gift_card_products" } as const;

/** Returns the name that a drawing is made from: the retailer's, category's or gift card's, in whichever brand. */
export async function findArtName(db: Db, kind: ArtKind, slug: string): Promise<string | null> {
  const row = await db.selectFrom(tables[kind]).select("name").where("slug", "=", slug).executeTakeFirst();
  return row?.name ?? null;
}
