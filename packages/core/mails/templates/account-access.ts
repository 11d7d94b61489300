import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";
import { timeInWords } from "../time-in-words.ts";

/** For a member whom an operator asks whether they may see the site as the member does. */
export const accountAccess = mailTemplate({
  kind: "account-access",
  schema: z.object({
    publicId: z.string().min(1),
    operator: z.string().min(1),
    reason: z.string().min(1),
    lapsesAt: z.iso.datetime(),
  }),
  content: ({ publicId, operator, reason, lapsesAt }, { name }) => ({
    subject: `May ${operator} look at your ${name} account?`,
    preheader: "You decide. Without your yes nothing happens.",
    blocks: [
      {
        kind: "paragraph",
        text: `${operator} of ${name} asks to open the site as you see it, for up to 30 minutes, once.`,
      },
      { kind: "facts", facts: [{ label: "Why", value: reason }] },
      {
        kind: "paragraph",
        text: "They can never see or change your password, e-mail addresses, two-step sign-in, bank details or gift-card codes, and can’t take money out. You see what they did, and can stop it at any moment.",
      },
      { kind: "button", label: "Say yes or no", path: paths.accountAccessRequest(publicId) },
      {
        kind: "small-print",
        text: `The question ends by itself on ${timeInWords(lapsesAt)}. We never ask for your password in an e-mail.`,
      },
    ],
  }),
});
