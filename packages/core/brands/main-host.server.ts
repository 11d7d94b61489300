import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/**
 * The host that a brand's e-mails lead to: its main one, else the most name-like. Never the one a visitor asked for, which they could make up. Null where a
 * brand has none.
 */
export async function findMainHost(db: Db, brandId: string): Promise<string | null> {
  const row = await db
    .selectFrom("brand_hosts")
    .select("host")
    .where("brand_id", "=", brandId)
    .orderBy("is_main", "desc")
    .orderBy(sql`host ~ '[a-z].*\\.[a-z]'`, "desc")
    .orderBy(sql`length(host)`)
    .orderBy("host")
    .limit(1)
    .executeTakeFirst();
  return row?.host ?? null;
}
