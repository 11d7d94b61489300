import type { Drawing } from "../drawings/drawings.ts";

/** A kind of thing a shop sells: its name, how it is drawn, and the range of its price in whole pounds. */
export interface Good {
  name: string;
  drawing: Drawing;
  from: number;
  to: number;
}

/** What shops of one kind sell and say. */
export interface Sector {
  name: string;
  /** Found in the advertiser's sector, or in its name. */
  match: RegExp;
  strapline: string;
  /** Goods that are sent, with a maker's word before the name ("Alder linen shirt"); plans, policies and stays have neither. */
  named: boolean;
  /** By department, a dozen in all. */
  goods: Readonly<Record<string, readonly Good[]>>;
}

/** Short for one good: name, drawing, lowest and highest price. */
export const good = (name: string, drawing: Drawing, from: number, to: number): Good => ({ name, drawing, from, to });
