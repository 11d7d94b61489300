import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/**
 * For a person who registers with an address that has an account: the page says the same to everyone, and only the
 * mailbox's owner learns it.
 */
export const alreadyRegistered = mailTemplate({
  kind: "already-registered",
  schema: z.object({}),
  content: (_, { name }) => ({
    subject: `You already have an account with ${name}`,
    preheader: "Log in, or choose a new password.",
    blocks: [
      {
        kind: "paragraph",
        text: `Somebody, probably you, signed up to ${name} with this e-mail address. It has an account already.`,
      },
      { kind: "button", label: "Log in", path: paths.login },
      { kind: "paragraph", text: "If you forgot your password, choose “Forgotten password?” on that page." },
      { kind: "small-print", text: "If it was not you, do nothing: nothing has changed." },
    ],
  }),
});
