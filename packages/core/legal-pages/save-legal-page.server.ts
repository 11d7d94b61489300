import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";

/** Placeholders that legal-text.ts fills in. */
const placeholders = ["brand", "support", "audience", "minimumAge", "residence"];

/** Returns the source text of a brand's page: its own, or else the shared one. */
export async function findLegalSource(
  db: Db,
  { brandId, slug }: { brandId: string; slug: string },
): Promise<{
  id: string;
  isOwn: boolean;
  title: string;
  summary: string;
  body: string;
  position: number;
  version: number;
} | null> {
  const page = await db
    .selectFrom("legal_pages")
    .select(["id", "brand_id", "title", "summary", "body", "position", "version"])
    .where("slug", "=", slug)
    .where((eb) => eb.or([eb("brand_id", "is", null), eb("brand_id", "=", brandId)]))
    .orderBy((eb) => eb("brand_id", "is", null))
    .executeTakeFirst();
  if (!page) return null;
  const { brand_id, ...text } = page;
  return { ...text, isOwn: brand_id !== null };
}

export interface LegalPageStatement {
  brandId: string;
  slug: string;
  body: string;
  /** Where left out, both are those of the existing page. */
  title?: string | undefined;
  summary?: string | undefined;
  /** The day of the change: 2026-11-20. */
  today: string;
}

/**
 * Saves a brand's own legal page, which replaces the shared page of the same slug or is added to the shared ones. Saving the same text again keeps its date.
 * @returns one sentence per problem; empty where the page was saved
 */
export async function saveLegalPage(db: Db, statement: LegalPageStatement): Promise<string[]> {
  const { brandId, slug, body, today } = statement;
  const known = await findLegalSource(db, { brandId, slug });
  const title = statement.title ?? known?.title ?? "";
  const summary = statement.summary ?? known?.summary ?? "";
  const unknown = [...body.matchAll(/\{(\w+)\}/g)]
    .map(([, name]) => name ?? "")
    .filter((name) => !placeholders.includes(name));
  const problems = [
    ...(/^[a-z][a-z0-9-]{1,39}$/.test(slug)
      ? []
      : ["The page's name needs 2 to 40 lower-case letters, digits and dashes."]),
    ...(title.length >= 1 && title.length <= 80 ? [] : ["--title is missing or longer than 80 characters."]),
    ...(summary.length >= 1 && summary.length <= 200 ? [] : ["--summary is missing or longer than 200 characters."]),
    ...(body.trim() !== "" && body.length <= 60_000 ? [] : ["The text is empty or longer than 60,000 characters."]),
    ...new Set(
      unknown.map(
        (name) => `{${name}} stands for nothing. There are ${placeholders.map((of) => `{${of}}`).join(", ")}.`,
      ),
    ),
  ];
  if (problems.length > 0) return problems;
  if (known?.isOwn && known.title === title && known.summary === summary && known.body === body) return [];
  const position = known?.position ?? 100;
  await db
    .insertInto("legal_pages")
    .values({ id: newId(), brand_id: brandId, slug, title, summary, body, position, updated_on: today })
    .onConflict((conflict) =>
      conflict.columns(["brand_id", "slug"]).doUpdateSet({ title, summary, body, updated_on: today }),
    )
    .execute();
  return [];
}
