import { z } from "zod";
import { timeInWords } from "../time-in-words.ts";
import { mailTemplate, type MailBlock } from "../mail-template.ts";
import { paths } from "../../paths.ts";

export const passwordChanged = mailTemplate({
  kind: "password-changed",
  schema: z.object({ at: z.iso.datetime(), others: z.array(z.string().max(254)).max(10).default([]) }),
  content: ({ at, others }, { name, supportEmail }) => ({
    subject: `Your password for ${name} was changed`,
    preheader: "If it was you, there is nothing to do.",
    blocks: [
      {
        kind: "paragraph",
        text: `The password of your account was changed on ${timeInWords(at)}. Everywhere else you were signed in, you have been signed out.`,
      },
      ...(others.length > 0 ? [otherAddresses(others)] : []),
      { kind: "paragraph", text: "If it was you, there is nothing to do. If it was not, choose a new one now:" },
      { kind: "button", label: "Choose a new password", path: paths.forgottenPassword },
      { kind: "small-print", text: `And tell us: ${supportEmail}.` },
    ],
  }),
});

const otherAddresses = (others: string[]): MailBlock => ({
  kind: "paragraph",
  text: `Your account is also opened by ${others.join(", ")}. If you don’t know an address, remove it on the page “Sign-in and security” of your account.`,
});
