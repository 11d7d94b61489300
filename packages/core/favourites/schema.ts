import { z } from "zod";

/**
 * The keys of forms: `offer/PUBLICID` or `retailer/SLUG` for a favourite, and `alert/SLUG` for an alert on that
 * retailer's rate, which is added and removed in the same way.
 */
export type FavouriteKey = `${FavouriteKind}/${string}`;
export type FavouriteKind = "offer" | "retailer" | "alert";

export interface Favourite {
  kind: FavouriteKind;
  /** An offer's public id or a retailer's slug. */
  id: string;
}

export function favouriteKey({ kind, id }: Favourite): FavouriteKey {
  return `${kind}/${id}`;
}

/** Reads a key from a form or cookie; null for anything else. */
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
