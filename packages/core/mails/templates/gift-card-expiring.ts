import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { paths, withToken } from "../../paths.ts";
import { longDate } from "../long-date.ts";
import { mailTemplate } from "../mail-template.ts";

/** Reminds a member of a card that expires with something left on it (G6). */
export const giftCardExpiring = mailTemplate({
  kind: "gift-card-expiring",
  schema: z.object({
    giftCard: z.string().min(1),
    card: z.string().min(1),
    leftPence: z.int().positive(),
    /** The last day on which it can be used. */
    expiresOn: z.iso.date(),
    token: z.string().min(1),
  }),
  content: ({ giftCard, card, leftPence, expiresOn, token }) => ({
    subject: `${card}: ${formatPence(leftPence)} to use by ${longDate(expiresOn)}`,
    preheader: "After that day the shop does not accept the card any more.",
    unsubscribePath: withToken(paths.unsubscribe, token),
    blocks: [
      {
        kind: "paragraph",
        text: `Your gift card ${card} can be used until ${longDate(expiresOn)}. As far as you have noted, ${formatPence(leftPence)} is left on it.`,
      },
      { kind: "button", label: "See the card", path: paths.giftCard(giftCard) },
      {
        kind: "small-print",
        text: "Have you used it? Mark it as used on its page, and we do not write about it again.",
      },
    ],
  }),
});
