import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

export const passkeyAdded = mailTemplate({
  kind: "passkey-added",
  schema: z.object({ name: z.string().max(60) }),
  content: ({ name: passkey }, { name, supportEmail }) => ({
    subject: `A passkey was added to your account with ${name}`,
    preheader: "If it was you, there is nothing to do.",
    blocks: [
      { kind: "paragraph", text: `The passkey “${passkey}” opens your account from now on, without the password.` },
      { kind: "button", label: "See your sign-in settings", path: paths.security },
      {
        kind: "small-print",
        text: `If it was not you, remove it there, choose a new password and write to ${supportEmail}.`,
      },
    ],
  }),
});
