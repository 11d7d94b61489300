import type { Db } from "@farthing/db/client.ts";
import type { Brand } from "../brands/brand.ts";
import { type FaqCategory, fillIn } from "./rules.ts";

/** Returns a brand's questions by subject, in the operators' order; subjects without a question are left out. */
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
      .where((eb) => eb.or([eb("faqs.brand_id", "is", null), eb("faqs.brand_id", "=", brand.id)]))
      // The brand's own questions are read after the shared ones, and replace them.
      .orderBy("faqs.position")
      .orderBy((eb) => eb("faqs.brand_id", "is not", null))
      .execute(),
  ]);
  const categories = new Map<string, FaqCategory>(
    subjects
      .toSorted((one, other) => one.position - other.position)
      .map(({ slug, name, isHidden }) => [slug, { slug, name, isHidden, faqs: [] }]),
  );
  for (const { category, slug, question, answer, feature } of rows) {
    if (feature !== null && !brand.features[feature as keyof Brand["features"]]) continue;
    const kept = categories.get(category);
    if (!kept) continue;
    const faq = { slug, question: fillIn(question, brand), answer: fillIn(answer, brand) };
    const general = kept.faqs.findIndex((known) => known.slug === slug);
    if (general === -1) kept.faqs.push(faq);
    else kept.faqs[general] = faq;
  }
  return [...categories.values()].filter(({ faqs }) => faqs.length > 0);
}
