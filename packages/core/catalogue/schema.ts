/**
 * Parameters of the catalogue's URLs. A bad sort or page becomes the default, and a bad id null, which pages answer as unknown: a mistyped or
 * truncated URL is never a server error.
 */
import { z } from "zod";
import { rateChoices } from "./rules.ts";
import { offerKinds } from "./catalogue-view.ts";

export const offerSortSchema = z.enum(["popular", "newest", "ending"]).catch("popular");

/** A kind of offer as URLs write it: `in-store`. */
export const kindSchema = z
  .string()
  .transform((kind) => kind.replaceAll("-", "_"))
  .pipe(z.enum(offerKinds))
  .nullable()
  .catch(null);

/** A minimum rate in whole percent, as URLs write it; parsed to basis points. */
export const minRateSchema = z
  .enum(rateChoices.map(String) as [string, ...string[]])
  .transform((percent) => Number(percent) * 100)
  .nullable()
  .catch(null);

/** The highest page number; a higher one is answered with the first page. */
export const LAST_PAGE = 500;

export const pageSchema = z
  .string()
  .regex(/^[1-9]\d{0,2}$/)
  .transform(Number)
  .pipe(z.number().int().min(1).max(LAST_PAGE))
  .catch(1);

/** A public id of an offer or variant (`random_public_id()` makes 16 hex digits; imports may have their own). */
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

/** A letter of the A–Z: `a` to `z`, or `0` for names that begin with anything else. Null means all letters. */
export const letterSchema = z
  .string()
  .toLowerCase()
  .regex(/^[a-z0]$/)
  .nullable()
  .catch(null);
