import type { Db } from "@farthing/db/client.ts";

/** Returns when a member last had an archive made, or null. */
export async function findLastExport(
  db: Db,
  { brandId, memberId }: { brandId: string; memberId: string },
): Promise<Date | null> {
  const row = await db
    .selectFrom("data_exports")
    .select("made_at")
    .where("member_id", "=", memberId)
    .where("brand_id", "=", brandId)
    .orderBy("made_at", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.made_at ?? null;
}
