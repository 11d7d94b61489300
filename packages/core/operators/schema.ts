import { z } from "zod";
import { emailSchema } from "../sign-in/schema.ts";
import { roles } from "./permissions.ts";

const nameSchema = z.string().trim().min(1, "Enter the person's name.").max(120, "Use at most 120 characters.");
export const roleSchema = z.enum(roles, "Choose a role.");

export const newOperatorSchema = z.object({
  email: z
    .string()
    .pipe(emailSchema.catch(""))
    .refine((email) => email !== "", "Enter an e-mail address, such as ada@club.example."),
  name: nameSchema,
  role: roleSchema,
});
export type NewOperator = z.infer<typeof newOperatorSchema>;

export const operatorChangeSchema = z.object({
  name: nameSchema,
  role: roleSchema,
  version: z.coerce.number().int().min(1),
});

/** Why something is done, where the log has to say so. */
export const whySchema = z
  .string()
  .trim()
  .min(1, "Say why, in a few words. Leave out names: the log is kept for good.")
  .max(500, "Use at most 500 characters.");

/** Why something is done, where the log takes a reason and does not need one; null: none was typed. */
export const optionalWhySchema = z
  .string()
  .trim()
  .max(500, "Use at most 500 characters.")
  .default("")
  .transform((why) => why || null);
