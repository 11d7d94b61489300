import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { paths } from "../../paths.ts";
import { mailTemplate } from "../mail-template.ts";

/** Tells the owner of an unused card, once, that its retailer is insolvent (G6). Always sent: money may be lost. */
export const giftCardStopped = mailTemplate({
  kind: "gift-card-stopped",
  schema: z.object({
    giftCard: z.string().min(1),
    card: z.string().min(1),
    leftPence: z.int().positive(),
    because: z.string().min(1),
    isGiven: z.boolean(),
  }),
  content: ({ giftCard, card, leftPence, because, isGiven }, { supportEmail }) => ({
    subject: `Use your gift card soon: ${card}`,
    preheader: "The retailer is in financial trouble.",
    blocks: [
      {
        kind: "paragraph",
        text: `The retailer of your gift card ${card} is insolvent. We have stopped selling the card. You have ${formatPence(leftPence)} left on yours, as far as you have noted.`,
      },
      { kind: "facts", facts: [{ label: "What we know", value: because }] },
      {
        kind: "paragraph",
        text: isGiven
          ? "You have given this card to somebody who has not opened it. Tell them to use it soon, or take it back and use it yourself."
          : "Shops of insolvent retailers often accept gift cards for a short time only. If you can, use it now.",
      },
      { kind: "button", label: "See the card", path: paths.giftCard(giftCard) },
      {
        kind: "small-print",
        text: `If the card is refused, keep it and the refusal, and write to ${supportEmail}: we tell you how to claim what is left. If you have used it, mark it as used.`,
      },
    ],
  }),
});
