import type { Db, Trx } from "@farthing/db/client.ts";
import { newId } from "@farthing/db/uuid.ts";
import { sql } from "kysely";
import { slugOf } from "../../catalogue-imports/slug.ts";
import type { CategoryForm } from "./category-schema.ts";

/** A category as operators list it. */
export interface CategoryRecord extends CategoryForm {
  slug: string;
  offers: number;
  retailers: number;
  changedAt: Date;
}

/** Returns every category, hidden ones too, in the catalogue's order. */
export async function listCategoryRecords(db: Db | Trx): Promise<CategoryRecord[]> {
  const { rows } = await sql<CategoryRecord>`
    select c.slug, c.name, c.body, c.is_hidden as "isHidden", c.updated_at as "changedAt",
      (select count(*) from offer_categories f where f.category_id = c.id) as offers,
      (select count(*) from retailer_categories f where f.category_id = c.id) as retailers
    from categories c order by c.position, c.slug`.execute(db);
  return rows;
}

export type CategoryChange =
  | { outcome: "changed" | "unchanged" | "unknown" }
  /** Somebody saved meanwhile: what is stored now. */
  | { outcome: "stale"; stored: CategoryForm; seen: string };

/** What of a category its form shows, as text: a save against another one comes too late. */
export function seenCategory({ name, body, isHidden }: CategoryForm): string {
  return JSON.stringify([name, body, isHidden]);
}

/** Changes a category, if it is still what the form showed (`seen`). Its address stays: links lead to it. */
export async function changeCategory(
  db: Db,
  { slug, seen, form, now }: { slug: string; seen: string; form: CategoryForm; now: Date },
): Promise<CategoryChange> {
  return await db.transaction().execute(async (trx): Promise<CategoryChange> => {
    const stored = await trx
      .selectFrom("categories")
      .select(["id", "name", "body", "is_hidden as isHidden"])
      .where("slug", "=", slug)
      .forUpdate()
      .executeTakeFirst();
    if (!stored) return { outcome: "unknown" };
    if (seenCategory(stored) !== seen) return { outcome: "stale", stored, seen: seenCategory(stored) };
    if (seenCategory(form) === seen) return { outcome: "unchanged" };
    const { name, body, isHidden } = form;
    await trx
      .updateTable("categories")
      .set({ name, body, is_hidden: isHidden, updated_at: now })
      .where("id", "=", stored.id)
      .execute();
    return { outcome: "changed" };
  });
}

/** Adds a category at the end. Null: a category has that address already. */
export async function createCategory(db: Db, { name, now }: { name: string; now: Date }): Promise<string | null> {
  const id = newId();
  const slug = slugOf(name, `category-${id.slice(-8)}`);
  const { rows } = await sql<{ slug: string }>`
    insert into categories (id, slug, name, position, created_at, updated_at)
    select ${id}, ${slug}, ${name}, coalesce(max(position), 0) + 1, ${now}::timestamptz, ${now}::timestamptz from categories
    on conflict (slug) do nothing returning slug`.execute(db);
  return rows[0]?.slug ?? null;
}

/**
 * Locks every category, in the order of their ids, which nothing changes. Whoever changes several takes these locks first, so that two of
 * them take turns and can't deadlock.
 */
export async function lockCategories(trx: Trx): Promise<void> {
  await sql`select from categories order by id for no key update`.execute(trx);
}

/** Moves a category one place up or down. Returns false where it is at that end, or unknown. */
export async function moveCategory(
  db: Db,
  { slug, by, now }: { slug: string; by: -1 | 1; now: Date },
): Promise<boolean> {
  return await db.transaction().execute(async (trx) => {
    await lockCategories(trx); // the places are read under the locks
    const { rows } = await sql<{ slug: string }>`select slug from categories order by position, slug`.execute(trx);
    const order = rows.map((row) => row.slug);
    const from = order.indexOf(slug);
    const other = order[from + by];
    if (from < 0 || other === undefined) return false;
    order[from] = other;
    order[from + by] = slug;
    await sql`update categories c set position = wanted.place, updated_at = case when c.slug = ${slug} then ${now} else c.updated_at end
      from unnest(${order}::text[]) with ordinality as wanted (slug, place)
      where c.slug = wanted.slug and c.position <> wanted.place`.execute(trx);
    return true;
  });
}
