import type { Db } from "@farthing/db/client.ts";
import carerMigrationsJson from "@farthing/db/seeds/carer-migrations.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";

const slug = z.string().min(1);
const rulesSeed = z.array(
  z.strictObject({ brand: slug, memberType: slug, statuses: z.array(slug).min(1), toBrand: slug, toMemberType: slug }),
);

/**
 * Adds missing rules for the move to the carers' club; brands and member types must exist. Existing rules keep
 * operators' changes. Returns the number of added rules.
 */
export async function seedCarerMigrations(db: Db): Promise<number> {
  const rules = rulesSeed.parse(carerMigrationsJson);
  const existing = await db.selectFrom("carer_migration_rules").select("id").limit(1).execute();
  if (existing.length > 0) return 0;
  let added = 0;
  for (const { brand, memberType, statuses, toBrand, toMemberType } of rules) {
    const found = await db
      .selectFrom("brands as here")
      .innerJoin("brands as there", (join) => join.on("there.slug", "=", toBrand))
      .innerJoin("member_types as type", (join) => join.on("type.slug", "=", memberType))
      .innerJoin("member_statuses as status", "status.member_type_id", "type.id")
      .innerJoin("member_types as toType", (join) => join.on("toType.slug", "=", toMemberType))
      .select(["here.id as brandId", "there.id as toBrandId", "status.id as statusId", "toType.id as toTypeId"])
      .where("here.slug", "=", brand)
      .where("status.slug", "in", statuses)
      .execute();
    for (const { brandId, toBrandId, statusId, toTypeId } of found) {
      await db
        .insertInto("carer_migration_rules")
        .values({
          id: newId(),
          brand_id: brandId,
          member_status_id: statusId,
          to_brand_id: toBrandId,
          to_member_type_id: toTypeId,
        })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      added += 1;
    }
  }
  return added;
}
