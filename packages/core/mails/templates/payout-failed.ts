import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** For a member whose payout did not arrive: why, that the money is theirs still, and what to do. */
export const payoutFailed = mailTemplate({
  kind: "payout-failed",
  schema: z.object({
    amountPence: z.int().positive(),
    /** Why, as a sentence, with what to do. */
    reason: z.string().min(1).max(300),
    needsDetails: z.boolean(),
    /** The member has asked to leave: the money goes the way of the closure. */
    isLeaving: z.boolean().default(false),
  }),
  content: ({ amountPence, reason, needsDetails, isLeaving }, { name }) => ({
    subject: `We could not pay you ${formatPence(amountPence)}`,
    preheader: "The money is back in your balance.",
    blocks: [
      { kind: "paragraph", text: reason },
      {
        kind: "paragraph",
        text: isLeaving
          ? `The money is back in your balance with ${name}. You have asked us to close your account: the page about that shows where the money goes.`
          : `The money is back in your balance with ${name}. It stays yours, however long it takes.`,
      },
      isLeaving
        ? { kind: "button", label: "See where it goes", path: paths.closeAccount }
        : needsDetails
          ? { kind: "button", label: "Give your bank details", path: paths.bankDetails }
          : { kind: "button", label: "Withdraw it again", path: paths.withdraw },
    ],
  }),
});
