import { findOpenAccess } from "@farthing/core/account-access/queries.server.ts";
import { askForAccess } from "@farthing/core/account-access/request-access.server.ts";
import { withStackDatabase } from "./stack-database.ts";

/** Returns the address where a demo member answers an operator, who has asked if nobody has. */
export function knownAccessRequest(brand = "chalkside"): Promise<string> {
  return withStackDatabase(async (db) => {
    const now = new Date();
    const { id: memberId } = await db
      .selectFrom("members")
      .select("id")
      .where("email", "=", `member@${brand}.example`)
      .executeTakeFirstOrThrow();
    const open = await findOpenAccess(db, { memberId, now });
    if (open) return `/profile/access/${open.publicId}`;
    const operator = await db
      .selectFrom("operators")
      .select(["id", "name"])
      .where("email", "=", "support@farthing.example")
      .executeTakeFirstOrThrow();
    const reason = "You wrote that the page of your claims looks wrong. I would like to see it as you do.";
    const asked = await askForAccess(db, { memberId, operator, reason, now });
    // Another worker has asked in the same moment, or this member was asked often enough today.
    const publicId = asked.outcome === "asked" ? asked.publicId : await lastAsked(db, memberId);
    return `/profile/access/${publicId}`;
  });
}

async function lastAsked(
  db: Parameters<Parameters<typeof withStackDatabase>[0]>[0],
  memberId: string,
): Promise<string> {
  const { public_id: publicId } = await db
    .selectFrom("account_access_requests")
    .select("public_id")
    .where("member_id", "=", memberId)
    .orderBy("asked_at", "desc")
    .executeTakeFirstOrThrow();
  return publicId;
}
