import { sql, type RawBuilder } from "kysely";

/** The id of the retailer at an address, as a subquery: of the one that stays, where the address is that of one that was merged (A2). */
export function retailerAt(slug: string): RawBuilder<string> {
  return sql<string>`(select coalesce(at.merged_into_id, at.id) from retailers at where at.slug = ${slug})`;
}
