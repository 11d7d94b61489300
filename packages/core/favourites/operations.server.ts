import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { retailerAt } from "../catalogue/retailers/retailer-at.server.ts";
import { askForAlert, endAlert } from "../alerts/operations.server.ts";
import { MAX_FAVOURITES } from "./max-favourites.ts";
import type { Favourite } from "./schema.ts";

export interface FavouriteChange {
  brandId: string;
  memberId: string;
  favourite: Favourite;
  now: Date;
}

/** `full`: the member has `MAX_FAVOURITES`, or has left. `unknown`: this brand shows nothing with this key. */
export type AddOutcome = "added" | "full" | "unknown";

/** Adds something that the member's brand shows to their favourites (D10). Adding it again changes nothing. */
export async function addFavourite(
  db: Db,
  { brandId, memberId, favourite, now }: FavouriteChange,
): Promise<AddOutcome> {
  const { kind } = favourite;
  if (kind === "alert") return await askForAlert(db, { brandId, memberId, slug: favourite.id, now });
  const id = await findId(db, brandId, favourite);
  if (id === null) return "unknown";
  const { table, column } = places[kind];
  const { numAffectedRows } = await sql`
    insert into ${table} (member_id, ${column}, created_at)
    select m.id, ${id}, ${now} from members m where m.id = ${memberId} and m.closed_at is null
      and ((select count(*) from ${table} f where f.member_id = m.id) < ${MAX_FAVOURITES}
        or exists (select from ${table} f where f.member_id = m.id and f.${column} = ${id}::uuid))
    for key share of m
    on conflict (member_id, ${column}) do update set created_at = ${table}.created_at`.execute(db);
  return numAffectedRows === 0n ? "full" : "added";
}

/** Removes a favourite, also if it does not exist or is not shown any more. */
export async function removeFavourite(
  db: Db,
  { memberId, favourite }: Pick<FavouriteChange, "memberId" | "favourite">,
): Promise<void> {
  const { kind, id } = favourite;
  if (kind === "alert") return await endAlert(db, { memberId, slug: id });
  const { table, column } = places[kind];
  const wanted = kind === "offer" ? sql`select id from offers where public_id = ${id}` : retailerAt(id);
  await sql`delete from ${table} where member_id = ${memberId} and ${column} in (${wanted})`.execute(db);
}

const places = {
  offer: { table: sql.table("favourite_offers"), column: sql.ref("offer_id") },
  retailer: { table: sql.table("favourite_retailers"), column: sql.ref("retailer_id") },
};

async function findId(db: Db, brandId: string, { kind, id }: Favourite): Promise<string | null> {
  const { rows } = await (
    kind === "retailer"
      ? sql<{ id: string }>`
        select r.id from retailers r join brand_retailers br on br.retailer_id = r.id and br.brand_id = ${brandId} where r.id = ${retailerAt(id)}`
      : sql<{ id: string }>`
        select o.id from offers o join brand_retailers br on br.retailer_id = o.retailer_id and br.brand_id = ${brandId}
        where o.public_id = ${id}
          and (not exists (select from offer_brands reserved where reserved.offer_id = o.id)
               or exists (select from offer_brands ours where ours.offer_id = o.id and ours.brand_id = ${brandId}))`
  ).execute(db);
  return rows[0]?.id ?? null;
}
