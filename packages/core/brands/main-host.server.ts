import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";

/** A brand's main host, else the most name-like of its hosts, as a scalar subquery. Null where it has none. */
export function mainHostOf(brandId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select host from brand_hosts where brand_id = ${brandId}
     order by is_main desc, host ~ '[a-z].*\\.[a-z]' desc, length(host), host limit 1)`;
}

/**
 * The host that a brand's e-mails lead to: its main one, else the most name-like. Never the one a visitor asked for, which they could make up. Null where a
 * brand has none.
 */
export async function findMainHost(db: Db, brandId: string): Promise<string | null> {
  const { rows } = await sql<{ host: string | null }>`select ${mainHostOf(sql`${brandId}::uuid`)} as host`.execute(db);
  return rows[0]?.host ?? null;
}
