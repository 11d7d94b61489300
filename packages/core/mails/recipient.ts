import { z } from "zod";

/**
 * The address of a recipient: exactly one, without a name, and without characters that could end a header or add a
 * second recipient.
 */
export const recipientSchema = z
  .string()
  .min(3)
  .max(254)
  // oxlint-disable-next-line no-control-regex -- control characters are what it refuses
  .regex(/^[^\u0000-\u0020\u007f<>(),;:\\"[\]]+@[^\u0000-\u0020\u007f<>(),;:\\"[\]@]+$/);
