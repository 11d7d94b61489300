import { z } from "zod";
import { mailTemplate } from "../mail-template.ts";
import { timeInWords } from "../time-in-words.ts";

/** For the operator who asked. It names no member: the link leads to them. */
export const accountAccessAnswer = mailTemplate({
  kind: "account-access-answer",
  schema: z.object({ memberId: z.uuid(), answer: z.enum(["yes", "no"]), lapsesAt: z.iso.datetime() }),
  content: ({ memberId, answer, lapsesAt }) => ({
    subject: answer === "yes" ? "The member said yes" : "The member said no",
    preheader: answer === "yes" ? "You may act as them once, for 30 minutes." : "You may not act as them.",
    blocks: [
      {
        kind: "paragraph",
        text:
          answer === "yes"
            ? `You may act as the member once, for 30 minutes. Start before ${timeInWords(lapsesAt)}.`
            : "The member does not want you to act as them. Nothing else has changed.",
      },
      { kind: "button", label: "Open the member", path: `/admin/members/${memberId}/access` },
    ],
  }),
});
