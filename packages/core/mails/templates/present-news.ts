import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { paths } from "../../paths.ts";
import { longDate } from "../long-date.ts";
import { mailTemplate } from "../mail-template.ts";

/** For the giver of a present: it was sent or opened, its mail could not be delivered, or its card expired before (G6). */
export const presentNews = mailTemplate({
  kind: "present-news",
  schema: z.object({
    news: z.enum(["sent", "opened", "bounced", "expired"]),
    card: z.string().min(1),
    facePence: z.int().positive(),
    recipientName: z.string(),
    recipientEmail: z.string(),
    at: z.iso.datetime(),
    /** The card in the member's wallet; null: the giver has no account. */
    giftCard: z.string().nullable(),
  }),
  content: ({ news, card, facePence, recipientName, recipientEmail, at, giftCard }, { supportEmail }) => {
    const said = {
      sent: {
        subject: `Your present for ${recipientName} is sent`,
        text: `We have sent the mail with your present to ${recipientEmail}. We write to you again when it is opened.`,
      },
      opened: {
        subject: `${recipientName} has opened your present`,
        text: `${recipientName} opened it on ${longDate(at)}. It is theirs now.`,
      },
      bounced: {
        subject: `Your present for ${recipientName} could not be delivered`,
        text: `The mail to ${recipientEmail} did not arrive. Nobody has opened the present, and nothing is lost. ${
          giftCard === null
            ? `Write to ${supportEmail} with the right address.`
            : "Correct the address and send it again, or take it back."
        }`,
      },
      expired: {
        subject: `Your present for ${recipientName} was not sent`,
        text: `The card has expired, so we have not sent it to ${recipientEmail}. ${
          giftCard === null ? `Write to ${supportEmail} if you have questions.` : "It is among your gift cards again."
        }`,
      },
    }[news];
    return {
      subject: said.subject,
      preheader: `${card}, ${formatPence(facePence)}.`,
      blocks: [
        { kind: "paragraph", text: said.text },
        {
          kind: "facts",
          facts: [
            { label: "Card", value: card },
            { label: "Value", value: formatPence(facePence) },
          ],
        },
        ...(giftCard === null
          ? []
          : [
              news === "opened" || news === "expired"
                ? { kind: "button" as const, label: "Your gift cards", path: paths.giftCards }
                : { kind: "button" as const, label: "See the present", path: paths.givenCard(giftCard) },
            ]),
      ],
    };
  },
});
