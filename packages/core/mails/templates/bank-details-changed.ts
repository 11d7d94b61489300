import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { timeInWords } from "../time-in-words.ts";

/** For a member whose bank details changed: until when nothing is paid there, and the way to stop it. */
export const bankDetailsChanged = mailTemplate({
  kind: "bank-details-changed",
  schema: z.object({
    accountEnding: z.string().regex(/^\d{4}$/),
    usableFrom: z.iso.datetime(),
    path: z.string().startsWith("/"),
  }),
  content: ({ accountEnding, usableFrom, path }, { name, supportEmail }) => ({
    subject: `The bank details of your account with ${name} changed`,
    preheader: "If it was you, there is nothing to do.",
    blocks: [
      {
        kind: "paragraph",
        text: `Your money goes to the account ending in ${accountEnding} from now on. To protect you, nothing is paid there before ${timeInWords(usableFrom)}.`,
      },
      { kind: "paragraph", text: "If it was you, there is nothing to do. If it was not, remove the account now:" },
      { kind: "button", label: "This was not me", path },
      {
        kind: "small-print",
        text: `That removes the bank details, so nothing can be paid to them. Then choose a new password, and write to ${supportEmail}.`,
      },
    ],
  }),
});
