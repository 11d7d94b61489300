import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";

/** For a member whose bonus is theirs to withdraw. */
export const bonusEarned = mailTemplate({
  kind: "bonus-earned",
  schema: z.object({
    amountPence: z.int().positive(),
    side: z.enum(["friend", "inviter"]),
    token: z.string().min(1),
  }),
  content: ({ amountPence, side, token }) => {
    const amount = formatPence(amountPence);
    return {
      subject:
        side === "friend"
          ? `Your welcome bonus of ${amount} is yours`
          : `You have earned ${amount} for inviting a friend`,
      preheader: "It is in your balance.",
      unsubscribePath: withToken(paths.unsubscribe, token),
      blocks: [
        {
          kind: "paragraph",
          text:
            side === "friend"
              ? `The shop has paid us for your purchase, so your welcome bonus of ${amount} is in your balance. You can withdraw it together with your cashback.`
              : `A friend whom you invited has made a purchase that counts, and the shop has paid us for it. Your bonus of ${amount} is in your balance. You can withdraw it together with your cashback.`,
        },
        { kind: "button", label: "See your money", path: paths.money },
        {
          kind: "small-print",
          text: "If the shop takes that purchase’s cashback back, and no other purchase counts, we take the bonus back.",
        },
      ],
    };
  },
});
