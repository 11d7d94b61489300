import type { Db } from "@farthing/db/client.ts";
import type { Brand } from "../brands/brand.ts";
import { fillIn, type LegalBlock, readLegalText } from "./legal-text.ts";

export interface LegalPage {
  slug: string;
  title: string;
  summary: string;
  blocks: LegalBlock[];
  /** The day of its last change: 2026-11-20. */
  updatedOn: string;
}

/** Returns a brand's page at /legal/:slug: its own, or else the shared one; null where there is neither. */
export async function findLegalPage(
  db: Db,
  { brand, slug }: { brand: Brand; slug: string },
): Promise<LegalPage | null> {
  const page = await db
    .selectFrom("legal_pages")
    .select(["slug", "title", "summary", "body", "updated_on"])
    .where("slug", "=", slug)
    .where((eb) => eb.or([eb("brand_id", "is", null), eb("brand_id", "=", brand.id)]))
    .orderBy((eb) => eb("brand_id", "is", null))
    .executeTakeFirst();
  if (!page) return null;
  return {
    slug: page.slug,
    title: fillIn(page.title, brand),
    summary: fillIn(page.summary, brand),
    blocks: readLegalText(page.body, brand),
    updatedOn: page.updated_on,
  };
}
