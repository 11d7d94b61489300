import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";

/** For an address of an employer or a college. It names no member, so that others who read the mailbox learn only that a link was requested. */
export const workEmailLink = mailTemplate({
  kind: "work-email-link",
  schema: z.object({ path: z.string().startsWith("/"), hours: z.number().int().positive() }),
  content: ({ path, hours }, { name }) => ({
    subject: `Confirm your work or college e-mail, for ${name}`,
    preheader: "One press, and your membership is verified.",
    blocks: [
      {
        kind: "paragraph",
        text: `Somebody, probably you, wants to prove with this address that they may be a member of ${name}.`,
      },
      { kind: "button", label: "Confirm this e-mail", path },
      {
        kind: "small-print",
        text: `The link works once, for ${hours} hours. We send nothing else to this address. If it was not you, do nothing.`,
      },
    ],
  }),
});
