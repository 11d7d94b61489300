import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * Adds a host to a brand. With `isMain`, e-mails and canonical links name this host from now on.
 * @returns `takenBy`: the slug of the brand that has the host already, if it is another brand. `done`: what was changed; null: nothing
 */
export async function addBrandHost(
  db: Db,
  { brandId, host, isMain }: { brandId: string; host: string; isMain: boolean },
): Promise<{ takenBy: string | null; done: "added" | "made-main" | null }> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table brand_hosts in share row exclusive mode`.execute(trx);
    const owner = await trx
      .selectFrom("brand_hosts")
      .innerJoin("brands", "brands.id", "brand_hosts.brand_id")
      .select(["brands.id", "brands.slug", "brand_hosts.is_main"])
      .where("host", "=", host)
      .executeTakeFirst();
    if (owner && owner.id !== brandId) return { takenBy: owner.slug, done: null };
    if (!owner) await trx.insertInto("brand_hosts").values({ host, brand_id: brandId }).execute();
    if (isMain) {
      await trx.updateTable("brand_hosts").set({ is_main: false }).where("brand_id", "=", brandId).execute();
      await trx.updateTable("brand_hosts").set({ is_main: true }).where("host", "=", host).execute();
    }
    if (!owner) return { takenBy: null, done: "added" };
    return { takenBy: null, done: isMain && !owner.is_main ? "made-main" : null };
  });
}

/** Removes a host from a brand. Never removes the last one: members' links would have no address. */
export async function removeBrandHost(
  db: Db,
  { brandId, host }: { brandId: string; host: string },
): Promise<"removed" | "not-there" | "last"> {
  return db.transaction().execute(async (trx) => {
    await sql`lock table brand_hosts in share row exclusive mode`.execute(trx);
    const hosts = await trx.selectFrom("brand_hosts").select("host").where("brand_id", "=", brandId).execute();
    if (!hosts.some((known) => known.host === host)) return "not-there";
    if (hosts.length === 1) return "last";
    await trx.deleteFrom("brand_hosts").where("host", "=", host).execute();
    return "removed";
  });
}
