import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { longDate } from "../long-date.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths, withToken } from "../../paths.ts";

/** Reminds an invited member, once, that the time to buy something for the welcome bonus ends. */
export const bonusExpiring = mailTemplate({
  kind: "bonus-expiring",
  schema: z.object({
    amountPence: z.int().positive(),
    minCashbackPence: z.int().positive(),
    until: z.iso.datetime(),
    token: z.string().min(1),
  }),
  content: ({ amountPence, minCashbackPence, until, token }) => ({
    subject: `Your welcome bonus of ${formatPence(amountPence)} waits until ${longDate(until)}`,
    preheader: "What you have to do for it.",
    unsubscribePath: withToken(paths.unsubscribe, token),
    blocks: [
      {
        kind: "paragraph",
        text: `You were invited, and your welcome bonus of ${formatPence(amountPence)} waits for one purchase through us that earns at least ${formatPence(minCashbackPence)} of cashback. Make it by ${longDate(until)}; the shop can confirm it later.`,
      },
      { kind: "button", label: "Find a shop", path: paths.retailers },
      {
        kind: "small-print",
        text: "If you have bought something already, the shop may not have told us yet. Then you need not do anything.",
      },
    ],
  }),
});
