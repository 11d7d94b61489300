import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";

const SAID = {
  checking: "we check the order before the card is made",
  making: "the company that makes the card has not delivered it yet",
  refunding: "your refund is under way",
  ready: "ready",
  refunded: "refunded",
  "charged-back": "your bank has taken the payment back",
} as const;

/** For the buyer of gift cards when a paid line waits long (G4). */
export const giftCardDelay = mailTemplate({
  kind: "gift-card-delay",
  schema: z.object({
    order: z.string().min(1),
    lines: z
      .array(
        z.object({
          card: z.string().min(1),
          facePence: z.int().positive(),
          stands: z.enum(["checking", "making", "refunding", "ready", "refunded", "charged-back"]),
        }),
      )
      .min(1),
    /** It was taken out of the member's cashback. */
    isPayout: z.boolean().default(false),
  }),
  content: ({ order, lines, isPayout }) => ({
    subject: "Your gift-card order takes longer than usual",
    preheader: "You need not do anything.",
    blocks: [
      {
        kind: "paragraph",
        text: `${isPayout ? "Your cashback is set aside for it." : "We have your payment."} Not every card of your order is ready yet:`,
      },
      {
        kind: "list",
        items: lines.map(({ card, facePence, stands }) => `${card}, ${formatPence(facePence)}: ${SAID[stands]}`),
      },
      {
        kind: "paragraph",
        text: "You need not do anything. Each card is delivered or its price is refunded, and we write to you as soon as that is decided.",
      },
      { kind: "facts", facts: [{ label: "Order", value: order }] },
    ],
  }),
});
