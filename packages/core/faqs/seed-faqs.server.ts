import type { Db } from "@farthing/db/client.ts";
import faqsJson from "@farthing/db/seeds/faqs.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { faqSeed } from "./schema.ts";

/**
 * Adds the questions that every brand starts with, unless there are any: what operators have changed or removed stays so.
 * @returns how many were added
 */
export async function seedFaqs(db: Db): Promise<number> {
  const seed = faqSeed.parse(faqsJson);
  return db.transaction().execute(async (trx) => {
    if (await trx.selectFrom("faq_categories").select("id").limit(1).executeTakeFirst()) return 0;
    const categories = seed.map(({ slug, name, faqs }, position) => ({ id: newId(), slug, name, position, faqs }));
    const created = await trx
      .insertInto("faq_categories")
      .values(categories.map(({ id, slug, name, position }) => ({ id, slug, name, position })))
      .onConflict((conflict) => conflict.constraint("faq_categories_one_each").doNothing())
      .executeTakeFirst();
    if (created.numInsertedOrUpdatedRows === 0n) return 0; // another process seeds at the same time
    const faqs = categories.flatMap(({ id, faqs: theirs }) =>
      theirs.map(({ slug, question, answer, feature = null }, position) => ({
        ...{ id: newId(), category_id: id, brand_id: null },
        ...{ slug, question, answer, feature, position },
      })),
    );
    await trx.insertInto("faqs").values(faqs).execute();
    return faqs.length;
  });
}
