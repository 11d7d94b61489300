import { z } from "zod";
import { timeInWords } from "../time-in-words.ts";
import { mailTemplate } from "../mail-template.ts";

export const passwordChanged = mailTemplate({
  kind: "password-changed",
  schema: z.object({ at: z.iso.datetime() }),
  content: ({ at }, { name, supportEmail }) => ({
    subject: `Your password for ${name} was changed`,
    preheader: "If it was you, there is nothing to do.",
    blocks: [
      {
        kind: "paragraph",
        text: `The password of your account was changed on ${timeInWords(at)}. Everywhere else you were signed in, you have been signed out.`,
      },
      { kind: "paragraph", text: "If it was you, there is nothing to do. If it was not, choose a new one now:" },
      { kind: "button", label: "Choose a new password", path: "/forgotten-password" },
      { kind: "small-print", text: `And tell us: ${supportEmail}.` },
    ],
  }),
});
