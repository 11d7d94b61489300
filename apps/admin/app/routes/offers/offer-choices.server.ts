import { listCategoryNames } from "@farthing/core/catalogue/categories/list-names.server.ts";
import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import type { Db } from "@farthing/db/client.ts";
import type { OfferChoices } from "./offer-list.tsx";

/** Returns the brands and categories that offers can be in. */
export async function offerChoices(db: Db): Promise<OfferChoices> {
  const [brands, categories] = await Promise.all([findBrandNames(db), listCategoryNames(db)]);
  return { brands, categories };
}
