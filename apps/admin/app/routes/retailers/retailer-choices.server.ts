import { listCategoryNames } from "@farthing/core/catalogue/categories/list-names.server.ts";
import { findBrandNames } from "@farthing/core/members/operators.server.ts";
import { findNetworkNames } from "@farthing/core/networks/queries.server.ts";
import type { AdminServices } from "../../../server/admin-handler.ts";

interface Named {
  slug: string;
  name: string;
}

export interface RetailerChoices {
  brands: readonly Named[];
  categories: readonly Named[];
  networks: readonly Named[];
}

/** Returns the brands, categories and networks that retailers can be in. */
export async function retailerChoices(db: AdminServices["db"]): Promise<RetailerChoices> {
  const [brands, categories, networks] = await Promise.all([
    findBrandNames(db),
    listCategoryNames(db),
    findNetworkNames(db),
  ]);
  return { brands, categories, networks };
}
