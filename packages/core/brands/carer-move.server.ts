import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { BrandStatement } from "./schema.ts";

/** Whom a brand's carer migration asks, and where they go. Statuses are written `member-type/status`. */
export type CarerMove = NonNullable<BrandStatement["carerMove"]>;

/** Returns a brand's move as it is stored; null: nobody is asked. Where rules lead to several places, the first by name counts. */
export async function findCarerMoveOf(db: Db | Trx, { brandId }: { brandId: string }): Promise<CarerMove | null> {
  const { rows } = await sql<{ status: string; toBrand: string; toMemberType: string }>`
    select type.slug || '/' || status.slug as status, there.slug as "toBrand", to_type.slug as "toMemberType"
      from carer_migration_rules rule
        join member_statuses status on status.id = rule.member_status_id
        join member_types type on type.id = status.member_type_id
        join brands there on there.id = rule.to_brand_id
        join member_types to_type on to_type.id = rule.to_member_type_id
     where rule.brand_id = ${brandId}
     order by there.slug, to_type.slug, type.position, status.position, status.id`.execute(db);
  const [first] = rows;
  if (!first) return null;
  const { toBrand, toMemberType } = first;
  const here = rows.filter((row) => row.toBrand === toBrand && row.toMemberType === toMemberType);
  return { statuses: here.map(({ status }) => status), toBrand, toMemberType };
}

/** What the switch is refused with where it would ask nobody. */
const ASKS_NOBODY =
  "asks nobody without the statuses that it concerns and the club that they move to. Choose both on the brand’s page in the admin, or leave it off.";

/**
 * Returns what is wrong with a stated move, and with the switch where nobody would be asked.
 * @param isOn whether the switch is on afterwards
 */
export async function carerMoveProblems(
  trx: Trx,
  { slug, features, carerMove }: BrandStatement,
  { brandId, isOn }: { brandId: string | undefined; isOn: boolean },
): Promise<{ field: "carerMove" | "features"; message: string }[]> {
  if (carerMove) {
    const message = await faultOfMove(trx, slug, carerMove);
    return message === null ? [] : [{ field: "carerMove", message }];
  }
  const isStated = carerMove === null || features?.carerMigration === true;
  if (!isOn || !isStated) return [];
  const isStored =
    carerMove === undefined && brandId !== undefined && (await findCarerMoveOf(trx, { brandId })) !== null;
  return isStored ? [] : [{ field: "features", message: `carerMigration ${ASKS_NOBODY}` }];
}

async function faultOfMove(trx: Trx, slug: string, { statuses, toBrand, toMemberType }: CarerMove) {
  if (toBrand === slug) return "leads to the brand itself. Choose another.";
  const place = await trx
    .selectFrom("brands")
    .innerJoin("brand_member_types as offered", "offered.brand_id", "brands.id")
    .innerJoin("member_types as type", "type.id", "offered.member_type_id")
    .select("type.id")
    .where("brands.slug", "=", toBrand)
    .where("type.slug", "=", toMemberType)
    .executeTakeFirst();
  if (!place) return `leads to "${toMemberType}" of the brand "${toBrand}", which nobody can join as. Choose another.`;
  const known = new Set((await statusesOf(trx, statuses)).map(({ name }) => name));
  const unknown = statuses.find((status) => !known.has(status));
  return unknown === undefined ? null : `names the status "${unknown}", which does not exist.`;
}

async function statusesOf(trx: Trx, names: readonly string[]): Promise<{ id: string; name: string }[]> {
  const { rows } = await sql<{ id: string; name: string }>`
    select status.id, type.slug || '/' || status.slug as name
      from member_statuses status join member_types type on type.id = status.member_type_id
     where type.slug || '/' || status.slug = any(${names})`.execute(trx);
  return rows;
}

function isSameMove(one: CarerMove | null, other: CarerMove | null): boolean {
  if (one === null || other === null) return one === other;
  return (
    one.toBrand === other.toBrand &&
    one.toMemberType === other.toMemberType &&
    one.statuses.length === other.statuses.length &&
    one.statuses.every((status) => other.statuses.includes(status))
  );
}

/**
 * Stores a brand's move. Rules that stay the same keep their id: links that members have been sent lead on. A link of a rule that is changed or
 * removed is over, because its member agreed to something else.
 */
export async function setCarerMove(trx: Trx, brandId: string, move: CarerMove | null): Promise<void> {
  // Rules that lead to further places can't be stated: a save that changes nothing of the move leaves them.
  if (isSameMove(await findCarerMoveOf(trx, { brandId }), move)) return;
  if (move === null) {
    await trx.deleteFrom("carer_migration_rules").where("brand_id", "=", brandId).execute();
    return;
  }
  const there = await trx
    .selectFrom("brands")
    .innerJoin("member_types as type", (join) => join.on("type.slug", "=", move.toMemberType))
    .select(["brands.id as brandId", "type.id as typeId"])
    .where("brands.slug", "=", move.toBrand)
    .executeTakeFirstOrThrow();
  const statuses = (await statusesOf(trx, move.statuses)).map(({ id }) => id);
  await sql`
    delete from carer_migration_rules where brand_id = ${brandId} and not (
      member_status_id = any(${statuses}::uuid[]) and to_brand_id = ${there.brandId} and to_member_type_id = ${there.typeId})`.execute(
    trx,
  );
  for (const status of statuses)
    await trx
      .insertInto("carer_migration_rules")
      .values({
        id: newId(),
        brand_id: brandId,
        member_status_id: status,
        to_brand_id: there.brandId,
        to_member_type_id: there.typeId,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
}
