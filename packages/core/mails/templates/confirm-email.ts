import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

export const confirmEmail = mailTemplate({
  kind: "confirm-email",
  schema: z.object({ path: z.string().startsWith("/"), hours: z.number().int().positive() }),
  content: ({ path, hours }, { name }) => ({
    subject: `Confirm your e-mail address for ${name}`,
    preheader: "One press, and your account is ready.",
    blocks: [
      { kind: "paragraph", text: `Welcome to ${name}. Please confirm that this is your e-mail address.` },
      { kind: "button", label: "Confirm email", path },
      { kind: "small-print", text: `The link works once, for ${hours} hours. If you did not sign up, do nothing.` },
    ],
  }),
});
