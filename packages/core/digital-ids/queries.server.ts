import type { Db } from "@farthing/db/client.ts";
import type { Verification } from "../verification-requests/rules.ts";
import type { DigitalId } from "./digital-id-view.ts";

/** Returns a member's own card and standing; null for a member of another brand or a suspended one. */
export async function findDigitalId(
  db: Db,
  { brandId, memberId }: { brandId: string; memberId: string },
): Promise<DigitalId | null> {
  const row = await db
    .selectFrom("members")
    .leftJoin("member_types as type", "type.id", "members.member_type_id")
    .select([
      "members.name",
      "members.member_number",
      "members.verification",
      "members.verified_until",
      "members.created_at",
      "type.name as typeName",
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("verification_requests as request")
          .select("request.id")
          .whereRef("request.member_id", "=", "members.id")
          .where("request.state", "=", "submitted"),
      ).as("hasOpenRequest"),
    )
    .where("members.id", "=", memberId)
    .where("members.brand_id", "=", brandId)
    .where("members.suspended_at", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    verification: row.verification as Verification,
    hasOpenRequest: Boolean(row.hasOpenRequest),
    card: {
      name: row.name,
      memberNumber: row.member_number,
      memberType: row.typeName,
      validUntil: row.verified_until,
      memberSince: row.created_at,
    },
  };
}
