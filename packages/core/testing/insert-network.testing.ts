import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";

/** Inserts a network. Its slug decides which adapter speaks for it. */
export async function insertNetwork(
  db: Db,
  {
    slug = `network-${randomBytes(5).toString("hex")}`,
    memberShareBp = 7000,
  }: { slug?: string; memberShareBp?: number } = {},
): Promise<{ id: string }> {
  const id = newId();
  await db.insertInto("networks").values({ id, slug, name: slug, member_share_bp: memberShareBp }).execute();
  return { id };
}
