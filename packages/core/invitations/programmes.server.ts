import type { Db, Trx } from "@farthing/db/client.ts";
import { keepPlanIfDirect } from "@farthing/db/kept-plans.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ProgrammeTerms } from "./terms.ts";

export interface Programme extends ProgrammeTerms {
  id: string;
  publicId: string;
  brandId: string;
  startsAt: Date;
}

const columns = sql`id, public_id as "publicId", brand_id as "brandId", friend_pence as "friendPence", inviter_pence as "inviterPence",
  min_cashback_pence as "minCashbackPence", within_days as "withinDays", max_per_year as "maxPerYear", starts_at as "startsAt", ends_at as "endsAt"`;

/** Returns the programme that a brand has on now, or null. */
export async function findProgramme(
  db: Db | Trx,
  { brandId, now }: { brandId: string; now: Date },
): Promise<Programme | null> {
  const { rows } = await sql<Programme>`${keepPlanIfDirect} select ${columns} from referral_programmes
    where brand_id = ${brandId} and starts_at <= ${now} and (ends_at is null or ends_at > ${now})
    order by starts_at desc, id desc limit 1`.execute(db);
  return rows[0] ?? null;
}

/** Returns the programmes of all brands, or of one, the newest first. */
export async function listProgrammes(
  db: Db,
  { brand = null }: { brand?: string | null } = {},
): Promise<(Programme & { brand: string; madeBy: string })[]> {
  const { rows } = await sql<Programme & { brand: string; madeBy: string }>`
    select programme.*, brand.slug as brand from (select ${columns}, made_by as "madeBy" from referral_programmes) programme
    join brands brand on brand.id = programme."brandId" where ${brand}::text is null or brand.slug = ${brand}
    order by brand.slug, "startsAt" desc, programme.id desc`.execute(db);
  return rows;
}

export interface NewProgramme extends ProgrammeTerms {
  brandId: string;
  startsAt: Date;
  by: string;
  now: Date;
}

/** Starts a programme. One that is on ends at that moment: a brand promises one thing at a time. */
export async function startProgramme(db: Db, programme: NewProgramme): Promise<{ id: string; publicId: string }> {
  const { brandId, startsAt, by, now } = programme;
  return db.transaction().execute(async (trx) => {
    await sql`select from brands where id = ${brandId} for no key update`.execute(trx);
    await trx
      .updateTable("referral_programmes")
      .set({ ends_at: startsAt, ended_by: by })
      .where("brand_id", "=", brandId)
      .where("starts_at", "<", startsAt)
      .where((eb) => eb.or([eb("ends_at", "is", null), eb("ends_at", ">", startsAt)]))
      .execute();
    const made = await trx
      .insertInto("referral_programmes")
      .values({
        id: newId(),
        brand_id: brandId,
        friend_pence: programme.friendPence,
        inviter_pence: programme.inviterPence,
        min_cashback_pence: programme.minCashbackPence,
        within_days: programme.withinDays,
        max_per_year: programme.maxPerYear,
        starts_at: startsAt,
        ends_at: programme.endsAt,
        made_at: now,
        made_by: by,
      })
      .returning(["id", "public_id"])
      .executeTakeFirstOrThrow();
    return { id: made.id, publicId: made.public_id };
  });
}

/** Ends a brand's programme for people who join from `at` on. Referrals under way keep to it. Returns false if none is on then. */
export async function endProgramme(
  db: Db,
  { brandId, at, by }: { brandId: string; at: Date; by: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("referral_programmes")
    .set({ ends_at: at, ended_by: by })
    .where("brand_id", "=", brandId)
    .where("starts_at", "<", at)
    .where((eb) => eb.or([eb("ends_at", "is", null), eb("ends_at", ">", at)]))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
