import { listCategoryNames } from "@farthing/core/catalogue/categories/list-names.server.ts";
import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { findNetworkNames } from "@farthing/core/networks/queries.server.ts";
import type { OfferChoices } from "./offer-list.tsx";
import type { AdminServices } from "../../../server/admin-handler.ts";

/** Returns the brands and categories that offers can be in, and the networks that they can be from. */
export async function offerChoices(db: AdminServices["db"]): Promise<OfferChoices> {
  const [brands, categories, networks] = await Promise.all([
    findBrandNames(db),
    listCategoryNames(db),
    findNetworkNames(db),
  ]);
  return { brands, categories, networks };
}
