import type { Db } from "@farthing/db/client.ts";

/** Returns every category, in the catalogue's order. */
export function listCategoryNames(db: Db): Promise<{ slug: string; name: string }[]> {
  return db.selectFrom("categories").select(["slug", "name"]).orderBy("position").orderBy("slug").execute();
}
