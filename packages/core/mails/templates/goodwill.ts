import { z } from "zod";
import { GOODWILL_REASONS, goodwillReasons } from "../../goodwill/rules.ts";
import { formatPence } from "../../money/money.ts";
import { paths } from "../../paths.ts";
import { mailTemplate } from "../mail-template.ts";

/** For a member whom an operator has credited, or whose credit was taken back (C7). */
export const goodwill = mailTemplate({
  kind: "goodwill",
  schema: z.object({
    amountPence: z.int().positive(),
    reason: z.enum(goodwillReasons),
    isReversed: z.boolean(),
    /** The claim that it settles. */
    claim: z.string().min(1).nullable(),
  }),
  content: ({ amountPence, reason, isReversed, claim }, { name, supportEmail }) => {
    const amount = formatPence(amountPence);
    return {
      subject: isReversed ? `We have taken a credit of ${amount} back` : `We have credited you with ${amount}`,
      preheader: isReversed ? "Your balance has changed." : "It is yours, and in your balance.",
      blocks: [
        {
          kind: "paragraph",
          text: isReversed
            ? `${name} credited you with ${amount} (“${GOODWILL_REASONS[reason]}”), and has taken it back. If you have withdrawn it, your next cashback is set against it. We never ask you for money.`
            : `${GOODWILL_REASONS[reason]}: ${amount} from ${name} is in your balance. You can withdraw it together with your cashback.`,
        },
        ...(claim !== null && !isReversed
          ? [
              {
                kind: "paragraph" as const,
                text: "It settles your claim, which the shop declined. You need not do anything.",
              },
            ]
          : []),
        ...(claim === null ? [] : [{ kind: "facts" as const, facts: [{ label: "Claim", value: claim }] }]),
        { kind: "button", label: "See your money", path: paths.money },
        ...(isReversed
          ? [{ kind: "small-print" as const, text: `If you think that is wrong, write to ${supportEmail}.` }]
          : []),
      ],
    };
  },
});
