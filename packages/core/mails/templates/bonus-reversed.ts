import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";

/** For a member whose bonus was taken back, because its purchase was. */
export const bonusReversed = mailTemplate({
  kind: "bonus-reversed",
  schema: z.object({
    amountPence: z.int().positive(),
    side: z.enum(["friend", "inviter"]),
    token: z.string().min(1),
  }),
  content: ({ amountPence, side, token }) => {
    const amount = formatPence(amountPence);
    const purchase = side === "friend" ? "your purchase" : "the purchase of a friend whom you invited";
    return {
      subject: `A bonus of ${amount} was taken back`,
      preheader: `The shop took back the cashback of ${purchase}.`,
      unsubscribePath: withToken(paths.unsubscribe, token),
      blocks: [
        {
          kind: "paragraph",
          text: `The shop took back the cashback of ${purchase}, and no other purchase counts. So we have taken back the bonus of ${amount} that it brought.`,
        },
        {
          kind: "paragraph",
          text: "You need not pay anything. If you have withdrawn the bonus already, we deduct it from what you earn next.",
        },
        { kind: "button", label: "See your money", path: paths.money },
      ],
    };
  },
});
