import type { Db } from "@farthing/db/client.ts";
import type { Brand } from "../brands/brand.ts";
import { type FaqCategory, fillIn } from "./rules.ts";

/**
 * Returns a brand's questions by subject, in the operators' order; subjects without a question are left out. A brand's own question
 * replaces the shared one of the same short name, wherever each of them is.
 */
export async function findFaqs(db: Db, { brand }: { brand: Brand }): Promise<FaqCategory[]> {
  const [subjects, rows] = await Promise.all([
    db
      .selectFrom("faq_categories")
      .select(["slug", "name", "is_hidden as isHidden"])
      // The brand's own subjects are read first: the shared ones of the same slug are passed over.
      .distinctOn("slug")
      .select("position")
      .where((eb) => eb.or([eb("own_brand_id", "is", null), eb("own_brand_id", "=", brand.id)]))
      .orderBy("slug")
      .orderBy((eb) => eb("own_brand_id", "is", null))
      .execute(),
    db
      .selectFrom("faqs")
      .innerJoin("faq_categories", "faq_categories.id", "faqs.category_id")
      .select(["faq_categories.slug as category", "faqs.slug", "question", "answer", "feature"])
      .select((eb) => eb("faqs.brand_id", "is not", null).as("isOwn"))
      .where((eb) => eb.or([eb("faqs.brand_id", "is", null), eb("faqs.brand_id", "=", brand.id)]))
      .orderBy("faqs.position")
      .orderBy("faqs.slug")
      .execute(),
  ]);
  const categories = new Map<string, FaqCategory>(
    subjects
      .toSorted((one, other) => one.position - other.position)
      .map(({ slug, name, isHidden }) => [slug, { slug, name, isHidden, faqs: [] }]),
  );
  const shown = rows.filter(
    ({ category, feature }) =>
      categories.has(category) && (feature === null || brand.features[feature as keyof Brand["features"]]),
  );
  const own = new Set(shown.filter(({ isOwn }) => isOwn).map(({ slug }) => slug));
  for (const { category, slug, question, answer, isOwn } of shown)
    if (isOwn || !own.has(slug))
      categories.get(category)?.faqs.push({ slug, question: fillIn(question, brand), answer: fillIn(answer, brand) });
  return [...categories.values()].filter(({ faqs }) => faqs.length > 0);
}
