import type { Db } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { z } from "zod";

/** A list's filters and order under a name. */
export interface SavedView {
  id: string;
  name: string;
  /** The query of the list's address, without the question mark. */
  query: string;
}

export const viewSchema = z.object({
  list: z.string().regex(/^[a-z][a-z-]{1,39}$/),
  name: z.string().trim().min(1, "Enter a name for the view.").max(60, "Use at most 60 characters."),
  query: z.string().max(1000),
});

const MAX_VIEWS = 50;

export function findViews(db: Db, { operatorId, list }: { operatorId: string; list: string }): Promise<SavedView[]> {
  return db
    .selectFrom("operator_views")
    .select(["id", "name", "query"])
    .where("operator_id", "=", operatorId)
    .where("list", "=", list)
    .orderBy("name")
    .limit(MAX_VIEWS)
    .execute();
}

/** Saves a view; one of the same name is replaced. */
export async function saveView(
  db: Db,
  { operatorId, list, name, query, now }: z.output<typeof viewSchema> & { operatorId: string; now: Date },
): Promise<void> {
  await db
    .insertInto("operator_views")
    .values({ id: newId(), operator_id: operatorId, list, name, query, created_at: now })
    .onConflict((conflict) => conflict.columns(["operator_id", "list", "name"]).doUpdateSet({ query }))
    .execute();
}

/** Removes an operator's own view. */
export async function removeView(db: Db, { operatorId, id }: { operatorId: string; id: string }): Promise<void> {
  await db.deleteFrom("operator_views").where("operator_id", "=", operatorId).where("id", "=", id).execute();
}
