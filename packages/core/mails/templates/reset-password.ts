import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

export const resetPassword = mailTemplate({
  kind: "reset-password",
  schema: z.object({ path: z.string().startsWith("/") }),
  content: ({ path }, { name }) => ({
    subject: `Choose a new password for ${name}`,
    preheader: "The link works once, for one hour.",
    blocks: [
      { kind: "paragraph", text: `Somebody, probably you, asked for a new password for your account with ${name}.` },
      { kind: "button", label: "Choose a new password", path },
      {
        kind: "small-print",
        text: "The link works once, for one hour. If it was not you, do nothing: your password stays as it is.",
      },
    ],
  }),
});
