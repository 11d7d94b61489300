import knownRetailersJson from "@farthing/db/seeds/known-retailers.json" with { type: "json" };
import type { EditorialRetailer } from "@farthing/core/catalogue-imports/editorial-schema.ts";
import type { Trade } from "./grammar.ts";

/**
 * Retailers that are in every demo catalogue, whatever its seed and size, always with the same name, address and programme id:
 * the ones brands' menus lead to, and every awkward case there is a rule for. Tests and screenshots can rely on them
 * (docs/catalogue-import.md lists them). They name brands, so they are data: packages/db/seeds/known-retailers.json.
 */
export interface KnownRetailer {
  name: string;
  slug: string;
  category: string;
  /** One of the category's trades by its word, or a trade of its own. */
  trade: string | Trade;
  status?: EditorialRetailer["status"];
  acceptsClaims?: false;
  adultsOnly?: true;
  /** The programme pays in this currency. */
  currency?: string;
  /** Also on this network, under this id. */
  otherNetwork?: { network: string; networkProgrammeId: string };
  /** Pays nothing now; the boost starts in three days. */
  zeroRate?: true;
  /** A boost runs now. */
  boosted?: true;
  hiddenFrom?: readonly string[];
  featuredOn?: readonly string[];
  /** Fixed number of ordinary offers besides its own awkward ones. */
  offers?: number;
  popularity?: number;
}

export const knownRetailers = knownRetailersJson as readonly KnownRetailer[];
