import { readFile } from "node:fs/promises";
import type { Db } from "@farthing/db/client.ts";
import legalPagesJson from "@farthing/db/seeds/legal-pages.json" with { type: "json" };
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";

const legalPageSeed = z.strictObject({
  slug: z.string().regex(/^[a-z][a-z0-9-]{1,39}$/),
  title: z.string().min(1),
  summary: z.string().min(1),
  updatedOn: z.iso.date(),
});

/**
 * Adds the legal pages that all brands share and are missing (packages/db/seeds/legal). What an operator has changed stays.
 * @returns how many were added
 */
export async function seedLegalPages(db: Db): Promise<number> {
  const pages = z.array(legalPageSeed).parse(legalPagesJson);
  const folder = new URL("legal/", import.meta.resolve("@farthing/db/seeds/legal-pages.json"));
  const rows = await Promise.all(
    pages.map(async ({ slug, title, summary, updatedOn }, position) => ({
      id: newId(),
      slug,
      title,
      summary,
      body: await readFile(new URL(`${slug}.md`, folder), "utf8"),
      position,
      updated_on: updatedOn,
    })),
  );
  const added = await db
    .insertInto("legal_pages")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(added.numInsertedOrUpdatedRows ?? 0);
}
