import type { Db } from "@farthing/db/client.ts";
import { keepPlan } from "@farthing/db/kept-plans.ts";
import { sql, type RawBuilder } from "kysely";
import { toTsquery, type Term } from "./rules.ts";

/** Offers read for each word: some may not be shown any more since the last indexing. */
const OFFERS_READ = 20;

/**
 * Returns the first alternative of a doubtful term (D2) with which the brand has an offer or a retailer, or null where it has none. Only a word that somebody
 * has written is returned: the index has bare stems too ("valu"), which are found in descriptions alone. One statement.
 */
export async function findMeant(
  db: Db,
  { brandId, now, doubtful }: { brandId: string; now: Date; doubtful: Term },
): Promise<string | null> {
  const asked = doubtful.alternatives.map((known) => {
    const only = [{ ...doubtful, alternatives: [known] }];
    const isStem = known.word === known.lexeme;
    // Words of titles, names and categories are in the index as they are written.
    return {
      ...known,
      isStem,
      any: toTsquery(only),
      written: toTsquery(only, isStem ? "ABC" : ""),
      named: toTsquery(only, "A"),
    };
  });
  const offers = (words: RawBuilder<unknown>) => sql`
    select from search_offers_matching(${brandId}, ${now}, '', ${words}::tsquery, null, 'popular', ${OFFERS_READ}, 0, ${OFFERS_READ}) m
    join live_offers(${brandId}, ${now}) o on o.id = m.offer_id`;
  const { rows } = await sql<{ word: string }>`${keepPlan}
    select asked.word
    from unnest(${asked.map(({ word }) => word)}::text[], ${asked.map(({ isStem }) => isStem)}::boolean[], ${asked.map(({ any }) => any)}::text[],
      ${asked.map(({ written }) => written)}::text[], ${asked.map(({ named }) => named)}::text[])
      with ordinality as asked (word, is_stem, any_words, written, named, place)
    where exists (${offers(sql`asked.written`)})
      or exists (select from search_retailers_named(${brandId}, '', asked.written::tsquery, asked.named::tsquery, false, 1))
      or asked.is_stem and exists (${offers(sql`asked.any_words`)}
        where position(' ' || asked.word || ' ' in ' ' || search_fold(o.description) || ' ') > 0)
    order by asked.place limit 1`.execute(db);
  return rows[0]?.word ?? null;
}
