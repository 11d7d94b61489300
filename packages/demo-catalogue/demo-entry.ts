import type { editorialCategory, editorialRetailer } from "@farthing/core/catalogue-imports/editorial-schema.ts";
import type { awinProgramme, awinPromotion } from "@farthing/providers/affiliates/awin/awin-feed-schema.ts";
import type { z } from "zod";
import type { KnownRetailer } from "./known-retailers.ts";
import type { NamedRetailer } from "./retailer-names.ts";

export type DemoProgramme = z.input<typeof awinProgramme>;
export type DemoPromotion = z.input<typeof awinPromotion>;
export type DemoEditorial = z.input<typeof editorialRetailer>;
export type DemoCategory = z.input<typeof editorialCategory>;

export interface DemoScale {
  /** The same seed, moment and scale produce the same catalogue, to the byte. */
  seed: string;
  /** What "ends tomorrow" and "boosted now" are relative to. */
  now: Date;
  retailers: number;
  offers: number;
  /** Slugs of the networks that retailers are spread over, in turn; the known retailers are on the first. One by default: Awin. */
  networks?: readonly string[];
}

export interface DemoEntry {
  /** The slug of the retailer's network. Programme and promotions are in Awin's format, whatever the network. */
  network: string;
  programme: DemoProgramme;
  promotions: DemoPromotion[];
  editorial: DemoEditorial;
}

export type NamedDemoRetailer = NamedRetailer & { known: KnownRetailer | null };
