import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";
import { timeInWords } from "../time-in-words.ts";

/** For a member who asked for their money. */
export const payoutRequested = mailTemplate({
  kind: "payout-requested",
  schema: z.object({
    amountPence: z.int().positive(),
    /** Until when it is held after a change of bank details. */
    heldUntil: z.iso.datetime().nullable(),
  }),
  content: ({ amountPence, heldUntil }, { name, supportEmail }) => ({
    subject: `We pay you ${formatPence(amountPence)}`,
    preheader: "Your withdrawal is on its way to our bank.",
    blocks: [
      {
        kind: "paragraph",
        text: `You asked ${name} for ${formatPence(amountPence)}. We send it to our bank, which takes about three working days. We write again when it is paid.`,
      },
      ...(heldUntil === null
        ? []
        : [
            {
              kind: "paragraph" as const,
              text: `Because your bank details changed, it leaves after ${timeInWords(heldUntil)}.`,
            },
          ]),
      { kind: "button", label: "See where it is", path: paths.withdraw },
      {
        kind: "small-print",
        text: `If it was not you, cancel it there, choose a new password and write to ${supportEmail}.`,
      },
    ],
  }),
});
