import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Returns how many retailers, categories and offers a brand's search finds for a term. */
export type CountResults = (search: { brandId: string; term: string; now: Date }) => Promise<number>;

/** A term is looked up again while it is searched for, because the catalogue changes. */
const LOOK_AGAIN_HOURS = 24;
/** Terms of the last days, the most searched first: a flood of made-up ones waits behind what people look for. */
const LOOK_BACK_DAYS = 7;

/**
 * Looks up what searches found (T7): SearchPage events say only what was typed, and pages of results come from a cache, so the job asks the search
 * itself, once a day for each term. Returns the number of terms looked up.
 */
export async function lookUpTerms(
  db: Db,
  count: CountResults,
  { now, max }: { now: Date; max: number },
): Promise<number> {
  const { rows } = await sql<{ brandId: string; term: string }>`
    select searched.brand_id as "brandId", searched.term from telemetry_search_days searched
    left join telemetry_search_results known on known.brand_id = searched.brand_id and known.term = searched.term
    where searched.day > (${now}::timestamptz at time zone 'Europe/London')::date - ${sql.lit(LOOK_BACK_DAYS)}
      and (known.checked_at is null or known.checked_at <= ${new Date(now.getTime() - LOOK_AGAIN_HOURS * 3_600_000)})
    group by 1, 2 order by sum(searched.searches) desc, 2, 1 limit ${max}`.execute(db);
  for (const { brandId, term } of rows) {
    const results = await count({ brandId, term, now });
    await sql`
      insert into telemetry_search_results (brand_id, term, results, checked_at) values (${brandId}, ${term}, ${results}, ${now})
      on conflict (brand_id, term) do update set results = excluded.results, checked_at = excluded.checked_at`.execute(
      db,
    );
  }
  if (rows.length < max) await forgetTerms(db);
  return rows.length;
}

/** Terms that no sum mentions any more were dropped with their days. */
async function forgetTerms(db: Db): Promise<void> {
  await sql`
    delete from telemetry_search_results known
    where not exists (select from telemetry_search_days searched where searched.brand_id = known.brand_id and searched.term = known.term)`.execute(
    db,
  );
}
