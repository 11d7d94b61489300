import type { Db } from "@farthing/db/client.ts";
import { sql, type RawBuilder } from "kysely";
import type { CardAmounts } from "./issuer.ts";
import { readAmounts } from "./line-row.server.ts";
import type { TroubledStatus } from "./retailer-trouble.ts";
import type { Terms } from "./rules.ts";
import { isProductSold, retailerTrouble } from "./sold-products.server.ts";

/** A gift card in a list. */
export interface ListedCard extends Terms {
  slug: string;
  publicId: string;
  name: string;
  amounts: CardAmounts;
}

export interface CardDetails extends ListedCard {
  /** False: it is not sold now, or not any more. */
  isSold: boolean;
  /** The state of its retailer for which it is not sold; null: it may be. */
  retailerTrouble: TroubledStatus | null;
  terms: string;
  expiresAfterMonths: number | null;
  redeemableAt: ("online" | "in-store")[];
  category: { slug: string; name: string } | null;
  /** The retailer's page in the club; null where the club has none. */
  retailerSlug: string | null;
}

export interface CardCategory {
  slug: string;
  name: string;
  cards: number;
}

/** Maximum number of cards in a search's answer. */
export const MAX_FOUND = 60;
/** Minimum similarity (pg_trgm, 0 to 1) of a name's nearest words to the query: one typo in a word of six letters. */
const ALIKE = 0.45;

type AmountColumns = Parameters<typeof readAmounts>[0];
type ListedRow = Omit<ListedCard, "amounts"> & AmountColumns;

const listed = sql`product.slug, product.public_id as "publicId", product.name, product.amounts_pence as amounts,
  product.min_pence as "minPence", product.max_pence as "maxPence", product.step_pence as "stepPence",
  product.issuer_discount_bp as "issuerDiscountBp", product.reward_kind as "rewardKind", product.reward_bp as "rewardBp",
  product.fee_pence as "feePence"`;
/** Where more than one issuer sells the same card, the better one is shown first. */
const byPopularity = sql`coalesce(retailer.popularity, 0) desc, product.reward_bp desc, product.name, product.id`;
const withRetailer = sql`gift_card_products product left join retailers retailer on retailer.id = product.retailer_id`;

/** Returns the categories in which cards are sold, in the catalogue's order. */
export async function listCardCategories(db: Db): Promise<CardCategory[]> {
  const { rows } = await sql<CardCategory>`
    select category.slug, category.name, count(*)::int as cards
    from gift_card_products product join categories category on category.id = product.category_id
    where ${isProductSold} group by category.id order by category.position, category.id`.execute(db);
  return rows;
}

/** Returns the cards that most people look for. */
export async function listPopularCards(db: Db, { max }: { max: number }): Promise<ListedCard[]> {
  return find(db, sql`from ${withRetailer} where ${isProductSold} order by ${byPopularity} limit ${max}`);
}

/** Returns a category with its cards; null: there is no such category, or nothing is sold in it. */
export async function findCardCategory(
  db: Db,
  { slug }: { slug: string },
): Promise<{ name: string; cards: ListedCard[] } | null> {
  const { rows } = await sql<ListedRow & { category: string }>`
    select ${listed}, category.name as category
    from ${withRetailer} join categories category on category.id = product.category_id
    where category.slug = ${slug} and ${isProductSold} order by ${byPopularity} limit 500`.execute(db);
  const [first] = rows;
  return first ? { name: first.category, cards: rows.map(({ category: _category, ...row }) => toCard(row)) } : null;
}

/**
 * Returns the cards whose name or category has the words, the best first, with tolerance of typos. Products are
 * hundreds, so that all names are compared.
 */
export async function searchCards(db: Db, { query }: { query: string }): Promise<ListedCard[]> {
  return find(
    db,
    sql`from (select search_fold(${query}) as words) typed, ${withRetailer}
      left join categories category on category.id = product.category_id
      cross join lateral (select search_fold(product.name) as folded) name
      where ${isProductSold} and typed.words <> '' and (
        position(typed.words in name.folded) > 0 or word_similarity(typed.words, name.folded) >= ${ALIKE}
        or position(typed.words in search_fold(coalesce(category.name, ''))) > 0)
      order by name.folded = typed.words desc, starts_with(name.folded, typed.words) desc,
        position(typed.words in name.folded) > 0 desc, word_similarity(typed.words, name.folded) desc, ${byPopularity}
      limit ${MAX_FOUND}`,
  );
}

/** Returns a card's page; null: there is none. */
export async function findCard(db: Db, { slug }: { slug: string }): Promise<CardDetails | null> {
  const { rows } = await sql<Omit<CardDetails, "amounts" | "category"> & AmountColumns & CategoryColumns>`
    select ${listed}, ${isProductSold} as "isSold", ${retailerTrouble} as "retailerTrouble", product.terms, product.expires_after_months as "expiresAfterMonths",
      product.redeemable_at as "redeemableAt", category.slug as "categorySlug", category.name as "categoryName",
      case when retailer.status = 'active' then retailer.slug end as "retailerSlug"
    from ${withRetailer} left join categories category on category.id = product.category_id
    where product.slug = ${slug}`.execute(db);
  const [row] = rows;
  if (!row) return null;
  const { categorySlug, categoryName, ...card } = row;
  const category = categorySlug !== null && categoryName !== null ? { slug: categorySlug, name: categoryName } : null;
  return { ...toCard(card), category };
}

interface CategoryColumns {
  categorySlug: string | null;
  categoryName: string | null;
}

async function find(db: Db, from: RawBuilder<unknown>): Promise<ListedCard[]> {
  const { rows } = await sql<ListedRow>`select ${listed} ${from}`.execute(db);
  return rows.map(toCard);
}

function toCard<Row extends AmountColumns>({ amounts, minPence, maxPence, stepPence, ...card }: Row) {
  return { ...card, amounts: readAmounts({ amounts, minPence, maxPence, stepPence }) };
}
