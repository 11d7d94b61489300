import type { Db, Trx } from "@farthing/db/client.ts";
import { sql } from "kysely";
import {
  assignTiers,
  LAST_OFFER_TIER,
  offerDocument,
  retailerDocument,
  sourceOffers,
  sourceRetailers,
} from "./documents.server.ts";
import { MAX_COUNTED } from "./find-offers.server.ts";
import { sameThings } from "./same-things.ts";

const BATCH = 5_000;

export interface IndexOptions {
  /** Offers that ended before this time are left out. Required, so that no test depends on the machine's clock. */
  now: Date;
  /** Reports progress: 100,000 new offers take some seconds (P5). */
  onProgress?: (progress: { step: "offers" | "retailers" | "words"; done: number; total: number }) => void;
}

export interface IndexReport {
  /** Number of documents written because their text is new or changed. */
  offersParsed: number;
  retailersParsed: number;
  words: number;
}

/**
 * Updates the search documents, the list of words and the categories' counts from the catalogue (D2). Call it at the end of every import and after any
 * change of retailers, offers, categories or what brands show. Only changed documents are parsed, readers see the old state until the commit, and
 * concurrent calls take turns.
 */
export async function indexCatalogue(db: Db, { now, onProgress = () => {} }: IndexOptions): Promise<IndexReport> {
  const report = await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('farthing index_catalogue'))`.execute(trx);
    await indexCategories(trx, now);
    const retailersParsed = await indexRetailers(trx, onProgress);
    const offersParsed = await indexOffers(trx, now, onProgress);
    await assignTiers(trx);
    return { retailersParsed, offersParsed, words: await indexWords(trx, now, onProgress) };
  });
  // Refreshes the planner's statistics, without which it reads whole tables after an import. Outside the transaction, so that all rows count.
  await sql`analyze offers, offer_categories, offer_brands, retailers, retailer_categories, brand_retailers, programmes, rate_tiers, boosts,
    search_offers, search_retailers, search_words, category_counts`.execute(db);
  return report;
}

async function indexCategories(trx: Trx, now: Date): Promise<void> {
  await sql`
    merge into search_categories s
    using (select id, search_fold(name) as name_folded, setweight(to_tsvector('farthing', search_fold(name)), 'A') as document from categories) c
    on s.category_id = c.id
    when matched and s.name_folded <> c.name_folded then update set name_folded = c.name_folded, document = c.document
    when not matched then insert (category_id, name_folded, document) values (c.id, c.name_folded, c.document)`.execute(
    trx,
  );
  await sql`create temp table new_counts on commit drop as
    select brand_id, category_id, sum(n)::integer as live_offers, jsonb_object_agg(kind, n) as kinds from (
      select b.id as brand_id, oc.category_id, o.kind, count(*)::integer as n
      from brands b cross join lateral live_offers(b.id, ${now}) o join offer_categories oc on oc.offer_id = o.id
      group by b.id, oc.category_id, o.kind) by_kind
    group by brand_id, category_id`.execute(trx);
  await sql`delete from category_counts c
    where not exists (select from new_counts n where n.brand_id = c.brand_id and n.category_id = c.category_id)`.execute(
    trx,
  );
  await sql`insert into category_counts (brand_id, category_id, live_offers, kinds) select brand_id, category_id, live_offers, kinds from new_counts
    on conflict (brand_id, category_id) do update set live_offers = excluded.live_offers, kinds = excluded.kinds
    where category_counts.kinds <> excluded.kinds`.execute(trx);
}

async function indexRetailers(trx: Trx, onProgress: NonNullable<IndexOptions["onProgress"]>): Promise<number> {
  await sql`create temp table source_retailers on commit drop as ${sourceRetailers()}`.execute(trx);
  await sql`delete from search_retailers s where not exists (select from source_retailers n where n.id = s.retailer_id)`.execute(
    trx,
  );
  await sql`update search_retailers s set brand_ids = n.brand_ids, popularity = n.popularity from source_retailers n
    where n.id = s.retailer_id and (s.brand_ids, s.popularity) is distinct from (n.brand_ids, n.popularity)`.execute(
    trx,
  );
  return await parseInBatches(
    trx,
    sql`create temp table unparsed_retailers on commit drop as select row_number() over () as place, n.* from source_retailers n
      where not exists (select from search_retailers s where s.retailer_id = n.id and s.source_hash = n.source_hash)`,
    (from, to) => sql`
      insert into search_retailers (retailer_id, name_folded, document, brand_ids, popularity, source_hash)
      select id, search_fold(name),
        ${retailerDocument}, brand_ids, popularity, source_hash
      from unparsed_retailers where place > ${from} and place <= ${to}
      on conflict (retailer_id) do update set name_folded = excluded.name_folded, document = excluded.document, source_hash = excluded.source_hash`,
    "unparsed_retailers",
    (done, total) => onProgress({ step: "retailers", done, total }),
  );
}

async function indexOffers(trx: Trx, now: Date, onProgress: NonNullable<IndexOptions["onProgress"]>): Promise<number> {
  await sql`create temp table source_offers on commit drop as ${sourceOffers(now)}`.execute(trx);
  await sql`create index on source_offers (id)`.execute(trx);
  await sql`delete from search_offers s where not exists (select from source_offers n where n.id = s.offer_id)`.execute(
    trx,
  );
  await sql`update search_offers s
    set retailer_id = n.retailer_id, brand_ids = n.brand_ids, starts_at = n.starts_at, ends_at = n.ends_at, popularity = n.popularity,
      kind = n.kind, category_ids = n.category_ids
    from source_offers n where n.id = s.offer_id
      and (s.retailer_id, s.brand_ids, s.starts_at, s.ends_at, s.popularity, s.kind, s.category_ids)
        is distinct from (n.retailer_id, n.brand_ids, n.starts_at, n.ends_at, n.popularity, n.kind, n.category_ids)`.execute(
    trx,
  );
  return await parseInBatches(
    trx,
    sql`create temp table unparsed_offers on commit drop as select row_number() over (order by n.popularity desc) as place, n.* from source_offers n
      where not exists (select from search_offers s where s.offer_id = n.id and s.source_hash = n.source_hash)`,
    (from, to) => sql`
      insert into search_offers (offer_id, retailer_id, document, brand_ids, starts_at, ends_at, popularity, kind, category_ids, source_hash)
      select id, retailer_id,
        ${offerDocument}, brand_ids, starts_at, ends_at, popularity, kind, category_ids, source_hash
      from unparsed_offers where place > ${from} and place <= ${to}
      on conflict (offer_id) do update set document = excluded.document, source_hash = excluded.source_hash`,
    "unparsed_offers",
    (done, total) => onProgress({ step: "offers", done, total }),
  );
}

async function parseInBatches(
  trx: Trx,
  fill: ReturnType<typeof sql>,
  parse: (from: number, to: number) => ReturnType<typeof sql>,
  table: "unparsed_retailers" | "unparsed_offers",
  report: (done: number, total: number) => void,
): Promise<number> {
  await fill.execute(trx);
  await sql`create index on ${sql.table(table)} (place)`.execute(trx);
  await sql`analyze ${sql.table(table)}`.execute(trx);
  const { rows } = await sql<{ total: number }>`select count(*) as total from ${sql.table(table)}`.execute(trx);
  const total = rows[0]!.total;
  for (let from = 0; from < total; from += BATCH) {
    await parse(from, from + BATCH).execute(trx);
    report(Math.min(from + BATCH, total), total);
  }
  return total;
}

/**
 * The words of names, titles and categories as written, the lexemes of all other text, and other words for them, each with its number of documents. The slips are those of the word and of its
 * singular; rows of a version that did not know the singular get it here.
 */
async function indexWords(trx: Trx, now: Date, onProgress: NonNullable<IndexOptions["onProgress"]>): Promise<number> {
  await sql`create temp table new_words on commit drop as
    with lexemes as (
      select word as lexeme, sum(ndoc)::integer as occurrences from (
        select word, ndoc from ts_stat('select document from search_offers')
        union all select word, ndoc from ts_stat('select document from search_retailers')
        union all select word, ndoc from ts_stat('select document from search_categories')) as counted
      where length(word) <= 40 group by word
    ), texts as (
      select distinct title as text from source_offers union select name from source_retailers union select name from categories
    ), written as (
      select distinct word from texts, unnest(string_to_array(search_fold(text), ' ')) as word where length(word) between 1 and 40
    ), stemmed as (
      select word, tsvector_to_array(to_tsvector('farthing', word)) as lexemes from written
    )
    select word, lexeme, occurrences from stemmed join lexemes on lexemes.lexeme = stemmed.lexemes[1] where cardinality(lexemes) = 1
    union all
    select lexeme, lexeme, occurrences from lexemes where not exists (select from stemmed where stemmed.lexemes[1] = lexeme or stemmed.word = lexeme)`.execute(
    trx,
  );
  await sql`insert into new_words
    select said, known.lexeme, known.occurrences
    from unnest(${sameThings.map(([said]) => said)}::text[], ${sameThings.map(([, meant]) => meant)}::text[]) as pair (said, meant)
    join lateral (select n.lexeme, n.occurrences from new_words n where n.lexeme = any(tsvector_to_array(to_tsvector('farthing', meant)))
      order by n.occurrences desc limit 1) known on true
    where not exists (select from new_words n where n.word = said or n.lexeme = any(tsvector_to_array(to_tsvector('farthing', said))))`.execute(
    trx,
  );
  await sql`delete from search_words s where not exists (select from new_words n where n.word = s.word)`.execute(trx);
  await sql`insert into search_words (word, lexeme, occurrences, singular, slips)
    select word, lexeme, occurrences, search_singular(word), search_slips(word) || search_slips(search_singular(word)) from new_words
    on conflict (word) do update set lexeme = excluded.lexeme, occurrences = excluded.occurrences, singular = excluded.singular, slips = excluded.slips
    where (search_words.lexeme, search_words.occurrences, search_words.singular) is distinct from (excluded.lexeme, excluded.occurrences, excluded.singular)`.execute(
    trx,
  );
  await markCommonWords(trx, now);
  await markCommonCategories(trx, now);
  const { rows } = await sql<{ total: number }>`select count(*) as total from search_words`.execute(trx);
  const total = rows[0]!.total;
  onProgress({ step: "words", done: total, total });
  return total;
}

/**
 * Twice what a search counts: while half of a common word's offers are still shown, it has more than that. Offers that end within a day are left out. Counted
 * in the more popular tiers, so that the work is bounded and few rows are read before a page is full.
 */
const COMMON_OFFERS = 2 * MAX_COUNTED;

/** The offers that are counted for what is common: of the more popular tiers, and shown for another day. */
const lastingOffers = (now: Date) => sql`search_offers s where s.tier < ${sql.lit(LAST_OFFER_TIER)}
  and s.starts_at <= ${now} and (s.ends_at is null or s.ends_at > ${now}::timestamptz + interval '1 day')`;

/** Notes the brands at which a word is common. Brands that show the same offers are counted together. */
async function markCommonWords(trx: Trx, now: Date): Promise<void> {
  await sql`
    with counted as (
      select lasting.brand_ids, lexeme, count(*) as offers
      from (select s.brand_ids, s.document from ${lastingOffers(now)}) lasting, unnest(tsvector_to_array(lasting.document)) as lexeme
      where lexeme in (select w.lexeme from search_words w where w.occurrences >= ${COMMON_OFFERS})
      group by lasting.brand_ids, lexeme
    ), common as (
      select lexeme, brand_id from counted, unnest(brand_ids) as brand_id group by lexeme, brand_id having sum(offers) >= ${COMMON_OFFERS}
    ), marked as (
      select w.word, coalesce(array_agg(c.brand_id order by c.brand_id) filter (where c.brand_id is not null), '{}') as brand_ids
      from search_words w left join common c on c.lexeme = w.lexeme group by w.word
    )
    update search_words w set common_brand_ids = marked.brand_ids from marked
    where marked.word = w.word and w.common_brand_ids <> marked.brand_ids`.execute(trx);
}

/** Notes the categories that are common at each brand: every offer has the names of its categories, so a search for these finds at least as many. */
async function markCommonCategories(trx: Trx, now: Date): Promise<void> {
  await sql`
    with counted as (
      select lasting.brand_ids, category_id, count(*) as offers
      from (select s.brand_ids, s.category_ids from ${lastingOffers(now)}) lasting, unnest(lasting.category_ids) as category_id
      group by lasting.brand_ids, category_id
    ), common as (
      select category_id, brand_id from counted, unnest(brand_ids) as brand_id group by category_id, brand_id having sum(offers) >= ${COMMON_OFFERS}
    ), marked as (
      select n.category_id, n.brand_id, c.category_id is not null as is_common
      from category_counts n left join common c on c.category_id = n.category_id and c.brand_id = n.brand_id
    )
    update category_counts n set is_common = marked.is_common from marked
    where marked.category_id = n.category_id and marked.brand_id = n.brand_id and n.is_common <> marked.is_common`.execute(
    trx,
  );
}
