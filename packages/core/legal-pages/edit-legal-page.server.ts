import type { Db } from "@farthing/db/client.ts";
import { findLegalSource, saveLegalPage, type LegalPageStatement } from "./save-legal-page.server.ts";

/** A page as a form shows it: the brand's own text, or the shared one. */
export interface LegalPageText {
  /** Null: the brand has the shared text. */
  ownId: string | null;
  title: string;
  summary: string;
  body: string;
  /** Says which text the form was opened with: "own 3" or "shared 1". */
  seen: string;
}

export async function findLegalPageText(
  db: Db,
  { brandId, slug }: { brandId: string; slug: string },
): Promise<LegalPageText | null> {
  const source = await findLegalSource(db, { brandId, slug });
  if (!source) return null;
  const { id, version, isOwn, title, summary, body } = source;
  return { ownId: isOwn ? id : null, title, summary, body, seen: `${isOwn ? "own" : "shared"} ${version}` };
}

export type EditedLegalPage =
  | { outcome: "saved"; id: string }
  | { outcome: "unchanged" }
  | { outcome: "refused"; problems: string[] }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; text: LegalPageText | null };

/** Saves a brand's own text of a page, if the page is still what the form showed: `seen`; null for a page that is new. */
export async function editLegalPage(
  db: Db,
  { seen, ...statement }: LegalPageStatement & { seen: string | null },
): Promise<EditedLegalPage> {
  return await db.transaction().execute(async (trx): Promise<EditedLegalPage> => {
    const { brandId, slug } = statement;
    // One editor of a brand's pages after another.
    await trx.selectFrom("brands").select("id").where("id", "=", brandId).forUpdate().execute();
    const before = await findLegalPageText(trx, { brandId, slug });
    if ((before?.seen ?? null) !== seen) return { outcome: "stale", text: before };
    const problems = await saveLegalPage(trx, statement);
    if (problems.length > 0) return { outcome: "refused", problems };
    const after = await findLegalPageText(trx, { brandId, slug });
    if (!after?.ownId || after.seen === before?.seen) return { outcome: "unchanged" };
    return { outcome: "saved", id: after.ownId };
  });
}

/** Removes a brand's own text: the page has the shared one again, or is gone where there is none. */
export async function dropLegalPage(db: Db, { brandId, slug }: { brandId: string; slug: string }): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom("legal_pages")
    .where("brand_id", "=", brandId)
    .where("slug", "=", slug)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}
