import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { z } from "zod";
import { UnreadableRowError } from "./report-rows.ts";

/** Fields that rows of several networks have. */

/** Text of the network, trimmed; empty and absent are null. Numbers are read as text. */
export const optionalText = z
  .union([z.string(), z.number().transform(String)], { error: "is not text" })
  .nullish()
  .transform((text) => text?.trim() || null);

export const networkId = z
  .union([z.int().nonnegative().transform(String), z.string()], { error: "is not an id" })
  .refine((text) => /^[\w.-]{1,64}$/.test(text), "is not an id");

/** ISO 4217. */
export const currencyCode = z
  .string({ error: "is not text" })
  .regex(/^[A-Z]{3}$/, "is not a currency code such as GBP");

/** A decimal amount as JSON number or text; empty and absent are null. */
export const optionalDecimal = z
  .union([z.number(), z.string()], { error: "is not an amount" })
  .nullish()
  .transform((amount) => (typeof amount === "string" ? amount.trim() || null : (amount ?? null)));

/** Returns an amount in minor units of its currency, exactly; null stands for zero. @throws UnreadableRowError for anything but a plain decimal */
export function minorUnits(amount: string | number | null, currency: string): number {
  try {
    return amount === null ? 0 : parseMinorUnits(amount, currency);
  } catch {
    throw new UnreadableRowError("an amount is not a decimal");
  }
}
