import { z } from "zod";
import { MAX_PASSWORD_LENGTH } from "./rules.ts";

/** An e-mail address as it is stored and compared: trimmed, in lower case, at most 254 characters (RFC 5321). */
export const emailSchema = z
  .string()
  .trim()
  .max(254)
  .transform((email) => email.normalize("NFC").toLowerCase())
  .pipe(z.email());

/**
 * The login form. It checks only the form of the e-mail address and the sizes; the password rule applies where a
 * password is set.
 */
export const loginSchema = z.object({
  email: emailSchema,
  password: z.string().min(1).max(MAX_PASSWORD_LENGTH),
});

export type Login = z.infer<typeof loginSchema>;
