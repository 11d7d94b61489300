import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import type { ListQuery } from "../lists/find-list-page.server.ts";
import { findSubjectId } from "./subject-records.server.ts";
import type { FaqStatement } from "./schema.ts";

/** A question as operators list it. */
export interface ListedFaq {
  id: string;
  slug: string;
  question: string;
  category: string;
  /** The brand that has it alone; null: every brand. */
  brand: string | null;
  brandName: string | null;
  feature: string | null;
  position: number;
}

/** @param brand a slug, or "shared" for those of every brand */
export function faqList({
  q,
  brand,
  category,
}: {
  q?: string;
  brand?: string;
  category?: string;
}): ListQuery<"place" | "question"> {
  const like = `%${(q ?? "").toLowerCase().replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return {
    from: sql`faqs faq join faq_categories category on category.id = faq.category_id left join brands brand on brand.id = faq.brand_id`,
    select: sql`faq.id, faq.slug, faq.question, category.name as category, brand.slug as brand, brand.name as "brandName",
      faq.feature, faq.position`,
    where: [
      ...(q
        ? [sql`(lower(faq.question) like ${like} or lower(faq.answer) like ${like} or faq.slug like ${like})`]
        : []),
      ...(brand ? [brand === "shared" ? sql`faq.brand_id is null` : sql`brand.slug = ${brand}`] : []),
      ...(category ? [sql`category.slug = ${category}`] : []),
    ],
    sorts: {
      place: { by: sql`(category.position::bigint * 100000 + faq.position)`, type: "bigint" },
      question: { by: sql`lower(faq.question)`, type: "text" },
    },
    id: { by: sql`faq.id`, type: "uuid" },
  };
}

export interface FaqRecord extends FaqStatement {
  id: string;
  version: number;
}

export async function findFaqRecord(db: Db, { id }: { id: string }): Promise<FaqRecord | null> {
  const { rows } = await sql<FaqRecord>`
    select faq.id, faq.version, faq.slug, faq.question, faq.answer, faq.feature, faq.position,
      category.slug as category, brand.slug as brand
    from faqs faq join faq_categories category on category.id = faq.category_id left join brands brand on brand.id = faq.brand_id
    where faq.id::text = ${id}`.execute(db);
  return rows[0] ?? null;
}

export type SavedFaq =
  | { outcome: "saved"; id: string }
  | { outcome: "unchanged" | "unknown" }
  | { outcome: "refused"; field: "slug" | "category" | "brand"; message: string }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: FaqRecord };

/**
 * Adds a question, or changes one that is still at `version`. A brand's question replaces the shared one of the same
 * short name there.
 */
export async function saveFaq(
  db: Db,
  { faq, changed }: { faq: FaqStatement; changed: { id: string; version: number } | null },
): Promise<SavedFaq> {
  return await db.transaction().execute(async (trx): Promise<SavedFaq> => {
    // Changes take turns; reads go on.
    await sql`lock table faqs in share row exclusive mode`.execute(trx);
    const stored = changed && (await findFaqRecord(trx, changed));
    if (changed && !stored) return { outcome: "unknown" };
    if (changed && stored && stored.version !== changed.version) return { outcome: "stale", stored };
    const brand =
      faq.brand === null
        ? { id: null }
        : await trx.selectFrom("brands").select("id").where("slug", "=", faq.brand).executeTakeFirst();
    if (!brand) return { outcome: "refused", field: "brand", message: "Choose a brand of the list." };
    const categoryId = await findSubjectId(trx, { slug: faq.category, brandId: brand.id });
    if (categoryId === null)
      return { outcome: "refused", field: "category", message: "Choose a subject of the list that the brand has." };
    const other = await trx
      .selectFrom("faqs")
      .select("id")
      .where("slug", "=", faq.slug)
      .where("brand_id", "is not distinct from", brand.id)
      .executeTakeFirst();
    if (other && other.id !== changed?.id) {
      const message = "Another question has this short name there. Choose another, or change that question.";
      return { outcome: "refused", field: "slug", message };
    }
    const { slug, question, answer, feature, position } = faq;
    const values = { category_id: categoryId, brand_id: brand.id, slug, question, answer, feature, position };
    const id = changed?.id ?? newId();
    if (changed) await trx.updateTable("faqs").set(values).where("id", "=", id).execute();
    else
      await trx
        .insertInto("faqs")
        .values({ id, ...values })
        .execute();
    const isSame = stored && (await findFaqRecord(trx, { id }))?.version === stored.version;
    return isSame ? { outcome: "unchanged" } : { outcome: "saved", id };
  });
}

export async function removeFaq(db: Db, { id }: { id: string }): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom("faqs").where("id", "=", id).executeTakeFirst();
  return numDeletedRows > 0n;
}
