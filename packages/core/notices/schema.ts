import { z } from "zod";
import { fromLondon } from "../catalogue/london-time.ts";
import { noticeKinds } from "./rules.ts";

const words = (max: number) =>
  z
    .string()
    .transform((text) => text.replaceAll("\r\n", "\n").trim())
    .refine(
      (text) => text.length >= 1 && text.length <= max && !/[\u0000-\u0009\u000b-\u001f\u007f]/.test(text),
      `Use 1 to ${max} characters.`,
    );

/** A field for date and time, in London's time. */
const moment = z.string().transform((text, context): Date => {
  const read = fromLondon(text);
  if (read) return read;
  context.addIssue({ code: "custom", message: "Give a date and time of London, such as 30/11/2026 23:59." });
  return z.NEVER;
});

/** A notice as an operator types it. */
export const noticeStatement = z
  .object({
    /** The slug of the brand that shows it; empty: every brand. */
    brand: z.string().transform((text) => text || null),
    kind: z.enum(noticeKinds, "Choose what it is."),
    title: words(80).refine((text) => !text.includes("\n"), "Use one line."),
    text: words(500),
    since: moment,
    until: z
      .string()
      .transform((text) => text.trim() || null)
      .pipe(moment.nullable()),
  })
  .refine(({ since, until }) => until === null || until > since, {
    path: ["until"],
    message: "It must end after it begins.",
  });
export type NoticeStatement = z.infer<typeof noticeStatement>;
