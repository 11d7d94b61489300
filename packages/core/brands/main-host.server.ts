import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";

/** A scalar subquery for a brand's main host, else for the most name-like of its hosts. Null where it has none. */
export function mainHostOf(brandId: RawBuilder<unknown>): RawBuilder<string | null> {
  return sql<string | null>`(
    select host from brand_hosts where brand_id = ${brandId}
     order by is_main desc, host ~ '[a-z].*\\.[a-z]' desc, length(host), host limit 1)`;
}

/**
 * Returns the host that a brand's e-mails link to: its main host, else the most name-like. Never the host of a request, which a visitor could make up.
 * Null where the brand has none.
 */
export async function findMainHost(db: Db, brandId: string): Promise<string | null> {
  const { rows } = await sql<{ host: string | null }>`select ${mainHostOf(sql`${brandId}::uuid`)} as host`.execute(db);
  return rows[0]?.host ?? null;
}

/** Returns the hosts of all brands, or the main one of each, in their order. */
export async function listBrandHosts(db: Db, { only }: { only: "all" | "main" }): Promise<string[]> {
  const { rows } = await sql<{ host: string }>`
    select host from brand_hosts
     where ${only === "all"} or host = ${mainHostOf(sql`brand_hosts.brand_id`)} order by host`.execute(db);
  return rows.map(({ host }) => host);
}

/** Returns the brands that have a host, each with its main one, the default brand first. */
export async function listMainHosts(db: Db): Promise<{ name: string; audience: string; host: string }[]> {
  const { rows } = await sql<{ name: string; audience: string; host: string }>`
    select brand.name, brand.audience, main.host
      from brands brand cross join lateral (select ${mainHostOf(sql`brand.id`)} as host) main
     where main.host is not null order by brand.is_default desc, brand.created_at, brand.id`.execute(db);
  return rows;
}
