import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { longDate } from "../long-date.ts";
import { paths } from "../../paths.ts";

export const renewalDue = mailTemplate({
  kind: "renewal-due",
  schema: z.object({ until: z.iso.datetime(), hasEnded: z.boolean() }),
  content: ({ until, hasEnded }, { name }) => ({
    subject: hasEnded ? `Your ${name} membership has run out` : `Renew your ${name} membership by ${longDate(until)}`,
    preheader: hasEnded ? "Send new proof and it goes on." : "Your card stays good while we look at it.",
    blocks: [
      {
        kind: "paragraph",
        text: hasEnded
          ? `Your membership was good until ${longDate(until)}. Send new proof, and it goes on. What you have earned stays yours.`
          : `Your membership is good until ${longDate(until)}. Send new proof before then: your card stays good until somebody has looked at it, however long that takes.`,
      },
      { kind: "button", label: hasEnded ? "Send new proof" : "Renew now", path: paths.verification },
    ],
  }),
});
