import { z } from "zod";

/**
 * What a member can keep, as forms name it: `offer/PUBLICID` or `retailer/SLUG` as a favourite, and `alert/SLUG` for an alert of that retailer's rate,
 * which is asked for and ended in the same way.
 */
export type FavouriteKey = `${FavouriteKind}/${string}`;
export type FavouriteKind = "offer" | "retailer" | "alert";

export interface Favourite {
  kind: FavouriteKind;
  /** An offer's public id, a retailer's slug. */
  id: string;
}

export function favouriteKey({ kind, id }: Favourite): FavouriteKey {
  return `${kind}/${id}`;
}

/** Reads a key of a form or a cookie; null for anything else. */
export const favouriteSchema = z
  .string()
  .regex(/^(offer\/[A-Za-z0-9_-]{1,64}|(retailer|alert)\/[a-z0-9]+(-[a-z0-9]+)*)$/)
  .max(220)
  .transform((key): Favourite => {
    const [kind, id] = key.split("/") as [Favourite["kind"], string];
    return { kind, id };
  })
  .nullable()
  .catch(null);
