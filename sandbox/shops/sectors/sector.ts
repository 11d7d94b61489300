import type { Drawing } from "../drawings/drawings.ts";

/** A kind of product: its name, its drawing, and its price range in whole pounds. */
export interface Good {
  name: string;
  drawing: Drawing;
  from: number;
  to: number;
}

/** The products and texts of one kind of shop. */
export interface Sector {
  name: string;
  /** Matches the advertiser's sector, or its name. */
  match: RegExp;
  strapline: string;
  /** Whether products are shipped, and named with a maker's word ("Alder linen shirt"); plans, policies and stays are not. */
  named: boolean;
  /** By department, twelve in all. */
  goods: Readonly<Record<string, readonly Good[]>>;
}

/** Returns a kind of product: name, drawing, minimum and maximum price. */
export const good = (name: string, drawing: Drawing, from: number, to: number): Good => ({ name, drawing, from, to });
