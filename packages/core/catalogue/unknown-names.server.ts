import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";

/** Returns the categories and brands of a form that do not exist, as sentences. */
export async function unknownNames(
  db: Db,
  form: { categories: readonly string[]; brands: readonly string[] },
): Promise<{ categories?: string; brands?: string }> {
  const { rows } = await sql<{ categories: string[]; brands: string[] }>`select
    array(select name from unnest(${form.categories}::text[]) name except select slug from categories) as categories,
    array(select name from unnest(${form.brands}::text[]) name except select slug from brands) as brands`.execute(db);
  const { categories = [], brands = [] } = rows[0] ?? {};
  return {
    ...(categories.length > 0 ? { categories: `There is no category “${categories.join("”, “")}”.` } : {}),
    ...(brands.length > 0 ? { brands: `There is no brand “${brands.join("”, “")}”.` } : {}),
  };
}
