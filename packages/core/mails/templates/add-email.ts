import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

export const addEmail = mailTemplate({
  kind: "add-email",
  schema: z.object({ path: z.string().startsWith("/"), hours: z.number().int().positive() }),
  content: ({ path, hours }, { name }) => ({
    subject: `Confirm this e-mail address for ${name}`,
    preheader: "It then opens your account, too.",
    blocks: [
      {
        kind: "paragraph",
        text: `A member of ${name} wants to use this e-mail address to sign in. If that is you, confirm it:`,
      },
      { kind: "button", label: "Confirm email", path },
      {
        kind: "small-print",
        text: `The link works once, for ${hours} hours. If it was not you, do not press it: you would give somebody else’s account your address.`,
      },
    ],
  }),
});
