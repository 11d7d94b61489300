import { z } from "zod";
import { timeInWords } from "../time-in-words.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** For a member whose account was opened in a new browser. */
export const newSignIn = mailTemplate({
  kind: "new-sign-in",
  schema: z.object({ device: z.string().max(80), at: z.iso.datetime() }),
  content: ({ device, at }, { name }) => ({
    subject: `New sign-in to ${name}`,
    preheader: `${device}. If it was you, there is nothing to do.`,
    blocks: [
      { kind: "paragraph", text: "Your account was opened in a browser that we have not seen before." },
      {
        kind: "facts",
        facts: [
          { label: "Where", value: device },
          { label: "When", value: timeInWords(at) },
        ],
      },
      {
        kind: "paragraph",
        text: "If it was you, there is nothing to do. If it was not, choose a new password now: it signs everyone out.",
      },
      { kind: "button", label: "Choose a new password", path: paths.forgottenPassword },
    ],
  }),
});
