import knownRetailersJson from "@farthing/db/seeds/known-retailers.json" with { type: "json" };
import type { EditorialRetailer } from "@farthing/core/catalogue-imports/editorial-schema.ts";
import type { Trade } from "./grammar.ts";

/**
 * A retailer that is in every demo catalogue, whatever its seed and size, with the same name, URL and programme id: those that brands' menus link to, and one
 * for each special case. Tests and screenshots rely on them (docs/catalogue-import.md lists them). They name brands, so they are data:
 * packages/db/seeds/known-retailers.json.
 */
export interface KnownRetailer {
  name: string;
  slug: string;
  category: string;
  /** The word of one of the category's trades, or a trade of its own. */
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
  /** A fixed number of ordinary offers, besides the known ones. */
  offers?: number;
  popularity?: number;
}

export const knownRetailers = knownRetailersJson as readonly KnownRetailer[];
