import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";

/** The last mail to a former member. */
export const closureDone = mailTemplate({
  kind: "closure-done",
  schema: z.object({
    paidPence: z.int().nonnegative(),
    /** The account that was paid: its last digits. */
    accountEnding: z.string().nullable(),
    givenUpPence: z.int().nonnegative(),
    /** The whole payout that the member waited for was taken back: by shops, or by the club. */
    wasTakenBack: z.boolean().default(false),
  }),
  content: ({ paidPence, accountEnding, givenUpPence, wasTakenBack }, { name }) => ({
    subject: `Your ${name} account is closed`,
    preheader: "This is the last e-mail from us.",
    blocks: [
      {
        kind: "paragraph",
        text: "Your account is closed and your data is deleted, but for what the law on accounts makes us keep.",
      },
      ...(paidPence > 0
        ? [
            {
              kind: "paragraph" as const,
              text: `We have paid ${formatPence(paidPence)} to your bank account${accountEnding ? ` ending in ${accountEnding}` : ""}. It can take three working days to arrive.`,
            },
          ]
        : []),
      ...(wasTakenBack
        ? [
            {
              kind: "paragraph" as const,
              text: "The money that you waited for was taken back, so there was nothing left to pay. You owe us nothing.",
            },
          ]
        : []),
      ...(givenUpPence > 0
        ? [{ kind: "paragraph" as const, text: `You gave up ${formatPence(givenUpPence)}, as you chose.` }]
        : []),
      {
        kind: "paragraph",
        text: "You can join again whenever you like, with the same address. Thank you for having been here.",
      },
      { kind: "small-print", text: "This is the last e-mail from us." },
    ],
  }),
});
