import type { Db } from "@farthing/db/client.ts";

/** Lets a test's brand offer these seeded member types, in this order. */
export async function offerMemberTypes(db: Db, brandId: string, slugs: string[]): Promise<void> {
  const types = await db.selectFrom("member_types").select(["id", "slug"]).where("slug", "in", slugs).execute();
  await db
    .insertInto("brand_member_types")
    .values(types.map(({ id, slug }) => ({ brand_id: brandId, member_type_id: id, position: slugs.indexOf(slug) })))
    .execute();
}
