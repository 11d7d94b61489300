import { randomBytes } from "node:crypto";
import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";

export interface NewMember {
  brandId: string;
  email?: string;
  name?: string;
  suspendedAt?: Date | null;
}

const unique = () => randomBytes(8).toString("hex");

/** Inserts a member as registration leaves them: neither their address nor their membership is verified. */
export function insertMember(db: Db, member: NewMember): Promise<{ id: string }> {
  return insert(db, member, {});
}

/** Inserts a member whose address and membership are verified. */
export function insertVerifiedMember(db: Db, member: NewMember): Promise<{ id: string }> {
  return insert(db, member, { email_verified: true, verification: "verified" });
}

async function insert(
  db: Db,
  { brandId, email = `${unique()}@members.example`, name = "A Member", suspendedAt = null }: NewMember,
  verified: { email_verified?: boolean; verification?: string },
): Promise<{ id: string }> {
  const id = newId();
  await db
    .insertInto("members")
    .values({ id, brand_id: brandId, email, name, suspended_at: suspendedAt, ...verified })
    .execute();
  return { id };
}
