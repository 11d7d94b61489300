import { z } from "zod";

/** What can be a favourite, as forms name it: `offer/PUBLICID` or `retailer/SLUG`. */
export type FavouriteKey = `offer/${string}` | `retailer/${string}`;

export interface Favourite {
  kind: "offer" | "retailer";
  /** An offer's public id, a retailer's slug. */
  id: string;
}

export function favouriteKey({ kind, id }: Favourite): FavouriteKey {
  return `${kind}/${id}`;
}

/** Reads a key of a form or a cookie; null for anything else. */
export const favouriteSchema = z
  .string()
  .regex(/^(offer\/[A-Za-z0-9_-]{1,64}|retailer\/[a-z0-9]+(-[a-z0-9]+)*)$/)
  .max(220)
  .transform((key): Favourite => {
    const [kind, id] = key.split("/") as [Favourite["kind"], string];
    return { kind, id };
  })
  .nullable()
  .catch(null);

/** Of each kind. Every page of a member's carries the keys, so there is an end to them. */
export const MOST_FAVOURITES = 200;
