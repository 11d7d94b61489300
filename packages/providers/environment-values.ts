import { z } from "zod";

/** Schemas of environment variables that several adapters have. Each message follows the variable's name and says what to set. */

/** A whole number in `from`…`to`, written in digits. `hint` is the sentence that says what to set. */
export const wholeNumber = (from: number, to: number, hint: string) =>
  z
    .string()
    .refine(
      (text) => /^\d{1,9}$/.test(text) && Number(text) >= from && Number(text) <= to,
      `is not a whole number from ${from} to ${to}. ${hint}`,
    )
    .transform(Number);

export const webAddress = z
  .string()
  .refine(
    (text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol),
    "is not a web address. Set one that starts with http:// or https://.",
  );

/** Text that is sent in an HTTP header, for example a token. */
export const header = z
  .string()
  .regex(
    /^[\x21-\x7e]+$/,
    "holds spaces or characters that don't fit in a header. Set letters, digits and punctuation only.",
  );

/** Text that is one segment of a URL's path. */
export const pathSegment = z
  .string()
  .regex(/^[A-Za-z0-9_-]+$/, "holds characters that don't fit in an address. Set letters, digits, - and _ only.");
