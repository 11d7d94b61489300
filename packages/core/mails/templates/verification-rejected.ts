import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { longDate } from "../long-date.ts";
import { paths } from "../../paths.ts";

export const verificationRejected = mailTemplate({
  kind: "verification-rejected",
  schema: z.object({
    says: z.string().min(1),
    example: z.string().min(1),
    note: z.string().nullable(),
    stillUntil: z.iso.datetime().nullable(),
  }),
  content: ({ says, example, note, stillUntil }) => ({
    subject: "We could not accept your proof yet",
    preheader: says,
    blocks: [
      { kind: "paragraph", text: says },
      ...(note ? [{ kind: "paragraph" as const, text: `A note from the person who looked: ${note}` }] : []),
      { kind: "paragraph", text: `What would pass: ${example}` },
      ...(stillUntil
        ? [{ kind: "paragraph" as const, text: `Your membership stays good until ${longDate(stillUntil)}.` }]
        : []),
      { kind: "button", label: "Send another", path: paths.verification },
      { kind: "small-print", text: "What you have earned stays yours. The file is deleted two weeks from now." },
    ],
  }),
});
