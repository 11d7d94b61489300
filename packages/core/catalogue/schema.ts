/**
 * What URLs may say about the catalogue. A bad sort or page falls to the default, a bad id to null (which pages answer as unknown):
 * an address that was mistyped, cut short or made up is never an error of ours.
 */
import { z } from "zod";
import { rateChoices } from "./rules.ts";
import { offerKinds } from "./catalogue-view.ts";

export const offerSortSchema = z.enum(["popular", "newest", "ending"]).catch("popular");

/** A kind of offer as addresses write it: `in-store`. */
export const kindSchema = z
  .string()
  .transform((kind) => kind.replaceAll("-", "_"))
  .pipe(z.enum(offerKinds))
  .nullable()
  .catch(null);

/** "At least so many percent" as addresses write it, in basis points. */
export const leastRateSchema = z
  .enum(rateChoices.map(String) as [string, ...string[]])
  .transform((percent) => Number(percent) * 100)
  .nullable()
  .catch(null);

/** The last page there can be; whoever asks for more gets the first. */
export const LAST_PAGE = 500;

export const pageSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/)
  .transform(Number)
  .pipe(z.number().int().min(1).max(LAST_PAGE))
  .catch(1);

/** Shape of a public id in an address: offers and variants (`random_public_id()` makes 16 hex digits; imports may bring their own). */
const publicId = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,64}$/)
  .nullable()
  .catch(null);
export const offerIdSchema = publicId;
export const variantIdSchema = publicId;

export const slugSchema = z
  .string()
  .max(200)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .nullable()
  .catch(null);

/** A letter of the A–Z: `a` to `z`, or `0` for names that begin with a digit or anything else. Null is all of them. */
export const letterSchema = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0]$/)
  .nullable()
  .catch(null);
