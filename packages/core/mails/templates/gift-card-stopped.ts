import { z } from "zod";
import { TROUBLE_ADVICE } from "../../gift-cards/retailer-trouble.ts";
import { formatPence } from "../../money/money.ts";
import { paths } from "../../paths.ts";
import { mailTemplate } from "../mail-template.ts";

/**
 * Tells whoever has an unused card, once, that its retailer is insolvent, in administration or closed (G6). Always sent: money may be lost. It promises
 * nothing: whether the card is still taken is for the shop to say.
 */
export const giftCardStopped = mailTemplate({
  kind: "gift-card-stopped",
  schema: z.object({
    /** Null: it was a present, and this is its receiver, who has no wallet. */
    giftCard: z.string().min(1).nullable(),
    card: z.string().min(1),
    leftPence: z.int().positive(),
    because: z.string().min(1),
    isGiven: z.boolean(),
  }),
  content: ({ giftCard, card, leftPence, because, isGiven }, { supportEmail }) => ({
    subject: `Use your gift card soon: ${card}`,
    preheader: "The shop may stop taking it.",
    blocks: [
      {
        kind: "paragraph",
        text:
          giftCard === null
            ? `You were given this gift card: ${card}. The shop is in trouble, and we have stopped selling its cards.`
            : `The shop that takes your gift card ${card} is in trouble, and we have stopped selling its cards. You have ${formatPence(leftPence)} left on yours, as far as you have noted.`,
      },
      { kind: "facts", facts: [{ label: "What we know", value: because }] },
      {
        kind: "paragraph",
        text: isGiven
          ? "You have given this card to somebody who has not opened it. Tell them to use it soon, or take it back and use it yourself."
          : `If you have not used it up, spend it now. ${TROUBLE_ADVICE}`,
      },
      ...(giftCard === null
        ? [{ kind: "paragraph", text: "Your code is behind the link in the mail that brought you the card." } as const]
        : [{ kind: "button", label: "See the card", path: paths.giftCard(giftCard) } as const]),
      {
        kind: "small-print",
        text: `If the card is refused, keep it and the refusal, and write to ${supportEmail}: we tell you how to claim what is left.${giftCard === null ? "" : " If you have used it, mark it as used."}`,
      },
    ],
  }),
});
