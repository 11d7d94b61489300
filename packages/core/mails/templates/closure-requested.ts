import { z } from "zod";
import { longDate } from "../long-date.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/**
 * For a member who asked to leave: what happens, and until when they can cancel. If someone else used the account, the
 * member learns of it.
 */
export const closureRequested = mailTemplate({
  kind: "closure-requested",
  schema: z.object({
    cancellableUntil: z.iso.datetime(),
    /** What happens to the money, in sentences. */
    money: z.array(z.string().min(1)),
  }),
  content: ({ cancellableUntil, money }, { name }) => ({
    subject: `We are closing your ${name} account`,
    preheader: `You can change your mind until ${longDate(cancellableUntil)}.`,
    blocks: [
      {
        kind: "paragraph",
        text: `You asked us to close your account. You can change your mind until ${longDate(cancellableUntil)}: nothing is deleted before then.`,
      },
      ...money.map((text) => ({ kind: "paragraph" as const, text })),
      { kind: "button", label: "Keep my account", path: paths.closeAccount },
      {
        kind: "small-print",
        text: "If this was not you, keep the account with the button above and change your password.",
      },
    ],
  }),
});
