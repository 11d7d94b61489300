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
    ...(categories.length > 0 ? { categories: thereIsNo("category", "categories", categories) } : {}),
    ...(brands.length > 0 ? { brands: thereIsNo("brand", "brands", brands) } : {}),
  };
}

function thereIsNo(one: string, several: string, names: readonly string[]): string {
  const quoted = names.map((name) => `“${name}”`).join(", ");
  return names.length === 1 ? `There is no ${one} ${quoted}.` : `There are no ${several} ${quoted}.`;
}
