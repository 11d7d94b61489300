import { z } from "zod";

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .refine(
      (text) => text.length >= 1 && text.length <= max && !/[\u0000-\u001f\u007f]/.test(text),
      `Use 1 to ${max} characters on one line.`,
    );

/** A legal page as an operator types it. Browsers send line ends as CRLF. */
export const legalPageSchema = z.object({
  slug: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{1,39}$/, "Use 2 to 40 lower-case letters, digits and dashes.")
    .refine((slug) => slug !== "new", "This name is taken by the admin. Choose another."),
  title: oneLine(80),
  summary: oneLine(200),
  body: z
    .string()
    .transform((text) => text.replaceAll("\r\n", "\n"))
    .refine((text) => text.trim() !== "" && text.length <= 60_000, "Use 1 to 60,000 characters."),
});
