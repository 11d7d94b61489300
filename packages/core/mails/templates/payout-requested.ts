import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";
import { timeInWords } from "../time-in-words.ts";

/** For a member who asked for their money, or for whom an operator did: then the member may be unable to sign in. */
export const payoutRequested = mailTemplate({
  kind: "payout-requested",
  schema: z.object({
    amountPence: z.int().positive(),
    /** Until when it is held after a change of bank details. */
    heldUntil: z.iso.datetime().nullable(),
    /** The gift card that it is taken as; null: it goes to the bank account. */
    card: z
      .object({ name: z.string().min(1), facePence: z.int().positive() })
      .nullable()
      .default(null),
    /** An operator asked for it. */
    isByClub: z.boolean().default(false),
  }),
  content: ({ amountPence, heldUntil, card, isByClub }, { name, supportEmail }) => ({
    subject: card ? `Your ${card.name} gift card` : `We pay you ${formatPence(amountPence)}`,
    preheader: card
      ? "You took it out of your cashback."
      : isByClub
        ? "What is yours is on its way to our bank."
        : "Your withdrawal is on its way to our bank.",
    blocks: [
      {
        kind: "paragraph",
        text: card
          ? `You took ${formatPence(amountPence)} of your cashback as a ${card.name} gift card of ${formatPence(card.facePence)}. It is made now, which usually takes a few seconds. If it can’t be made, the money goes back to your balance. We write again when that is decided.`
          : `${isByClub ? `The ${formatPence(amountPence)} that you have with ${name} is paid to your bank account.` : `You asked ${name} for ${formatPence(amountPence)}.`} We send it to our bank, which takes about three working days. We write again when it is paid.`,
      },
      ...(heldUntil === null
        ? []
        : [
            {
              kind: "paragraph" as const,
              text: `Because your bank details changed, it leaves after ${timeInWords(heldUntil)}.`,
            },
          ]),
      ...(isByClub ? [] : [{ kind: "button" as const, label: "See where it is", path: paths.withdraw }]),
      {
        kind: "small-print",
        text: isByClub
          ? `You need not do anything. If something is wrong, or you have a question, write to ${supportEmail}.`
          : card
            ? `If it was not you, choose a new password at once and write to ${supportEmail}: we can take a card back within 48 hours.`
            : `If it was not you, cancel it there, choose a new password and write to ${supportEmail}.`,
      },
    ],
  }),
});
