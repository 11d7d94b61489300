import type { Db } from "@farthing/db/client.ts";
import { isUuid } from "@farthing/db/uuid.ts";

/** What operations on a member need: operators know members by id alone, of whatever brand. */
export interface MemberRef {
  id: string;
  brandId: string;
  name: string;
  email: string;
}

export async function findMemberRef(db: Db, { id }: { id: string }): Promise<MemberRef | null> {
  if (!isUuid(id)) return null;
  const row = await db
    .selectFrom("members")
    .select(["id", "brand_id as brandId", "name", "email"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export function findBrandNames(db: Db): Promise<{ slug: string; name: string }[]> {
  return db.selectFrom("brands").select(["slug", "name"]).orderBy("name").execute();
}
