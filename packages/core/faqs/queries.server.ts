import type { Db } from "@farthing/db/client.ts";
import type { Brand } from "../brands/brand.ts";
import { type FaqCategory, fillIn } from "./rules.ts";

/** Returns a brand's questions by category, in the operators' order; empty categories are left out. */
export async function findFaqs(db: Db, { brand }: { brand: Brand }): Promise<FaqCategory[]> {
  const rows = await db
    .selectFrom("faqs")
    .innerJoin("faq_categories", "faq_categories.id", "faqs.category_id")
    .select(["faq_categories.slug as category", "faq_categories.name", "faqs.slug", "question", "answer", "feature"])
    .where((eb) => eb.or([eb("brand_id", "is", null), eb("brand_id", "=", brand.id)]))
    // The brand's own questions are read after the shared ones, and replace them.
    .orderBy("faq_categories.position")
    .orderBy("faqs.position")
    .orderBy((eb) => eb("brand_id", "is not", null))
    .execute();
  const categories = new Map<string, FaqCategory>();
  for (const { category, name, slug, question, answer, feature } of rows) {
    if (feature !== null && !brand.features[feature as keyof Brand["features"]]) continue;
    const kept = categories.get(category) ?? { slug: category, name, faqs: [] };
    categories.set(category, kept);
    const faq = { slug, question: fillIn(question, brand), answer: fillIn(answer, brand) };
    const general = kept.faqs.findIndex((known) => known.slug === slug);
    if (general === -1) kept.faqs.push(faq);
    else kept.faqs[general] = faq;
  }
  return [...categories.values()];
}
