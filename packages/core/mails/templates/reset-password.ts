import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

export const resetPassword = mailTemplate({
  kind: "reset-password",
  schema: z.object({ path: z.string().startsWith("/"), hours: z.number().int().positive().default(1) }),
  content: ({ path, hours }, { name }) => ({
    subject: `Choose a new password for ${name}`,
    preheader: `The link works once, for ${inWords(hours)}.`,
    blocks: [
      { kind: "paragraph", text: `Somebody, probably you, asked for a new password for your account with ${name}.` },
      { kind: "button", label: "Choose a new password", path },
      {
        kind: "small-print",
        text: `The link works once, for ${inWords(hours)}. If it was not you, do nothing: your password stays as it is.`,
      },
    ],
  }),
});

const inWords = (hours: number): string => (hours === 1 ? "one hour" : `${hours} hours`);
