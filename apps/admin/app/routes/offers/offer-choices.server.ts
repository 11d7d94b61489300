import { listCategoryNames } from "@farthing/core/catalogue/categories/list-names.server.ts";
import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import type { OfferChoices } from "./offer-list.tsx";
import type { AdminServices } from "../../../server/admin-handler.ts";

/** Returns the brands and categories that offers can be in. */
export async function offerChoices(db: AdminServices["db"]): Promise<OfferChoices> {
  const [brands, categories] = await Promise.all([findBrandNames(db), listCategoryNames(db)]);
  return { brands, categories };
}
