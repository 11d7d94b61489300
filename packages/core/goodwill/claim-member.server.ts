import type { Db } from "@farthing/db/client.ts";

/** Returns whose claim it is; null: there is no such claim. */
export async function claimMemberOf(
  db: Db,
  { publicId }: { publicId: string },
): Promise<{ brandId: string; memberId: string } | null> {
  const row = await db
    .selectFrom("claims")
    .select(["brand_id as brandId", "member_id as memberId"])
    .where("public_id", "=", publicId)
    .executeTakeFirst();
  return row ?? null;
}
