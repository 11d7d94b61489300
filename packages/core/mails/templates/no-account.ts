import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** For an address without an account whose owner asked for a new password: most of them joined with another address. */
export const noAccount = mailTemplate({
  kind: "no-account",
  schema: z.object({}),
  content: (_, { name }) => ({
    subject: `No account with ${name} at this address`,
    preheader: "You may have joined with another e-mail address.",
    blocks: [
      {
        kind: "paragraph",
        text: `Somebody, probably you, asked for a new password for ${name}. There is no account with this e-mail address.`,
      },
      { kind: "paragraph", text: "Many people join with an address from work or school. Try that one:" },
      { kind: "button", label: "Try another address", path: paths.forgottenPassword },
      {
        kind: "small-print",
        text: "If it was not you, do nothing. We do not keep this address, and write to it at most once a day.",
      },
    ],
  }),
});
