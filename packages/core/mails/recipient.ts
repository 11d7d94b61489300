import { z } from "zod";

/** An address a mail may go to: one, bare, without anything that could end a header or add a second recipient. */
export const recipientSchema = z
  .string()
  .min(3)
  .max(254)
  // oxlint-disable-next-line no-control-regex -- control characters are what must not be in it
  .regex(/^[^\u0000-\u0020\u007f<>(),;:\\"[\]]+@[^\u0000-\u0020\u007f<>(),;:\\"[\]@]+$/);
