import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

/** Development only (Z3). */
export const operatorCode = mailTemplate({
  kind: "operator-code",
  schema: z.object({ code: z.string() }),
  content: ({ code }) => ({
    subject: "Your code for the admin",
    preheader: "It finishes the sign-in that you have begun.",
    blocks: [
      { kind: "code", text: code },
      {
        kind: "small-print",
        text: "In development, codes come by e-mail. Elsewhere they come from an app on your phone only.",
      },
    ],
  }),
});
