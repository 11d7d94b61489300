import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** For a member whose payout did not arrive: why, what of the money is theirs still, and what to do. */
export const payoutFailed = mailTemplate({
  kind: "payout-failed",
  schema: z.object({
    amountPence: z.int().positive(),
    /** Why, as a sentence, with what to do. */
    reason: z.string().min(1).max(300),
    needsDetails: z.boolean(),
    /** All of it is in the balance again; false: part of it was taken back or is held. */
    isWhole: z.boolean().default(true),
    /** The member has asked to leave: the money goes the way of the closure. */
    isLeaving: z.boolean().default(false),
  }),
  content: ({ amountPence, reason, needsDetails, isWhole, isLeaving }, { name }) => ({
    subject: `We could not pay you ${formatPence(amountPence)}`,
    preheader: isWhole ? "The money is back in your balance." : "What is left of it is in your balance.",
    blocks: [
      { kind: "paragraph", text: reason },
      {
        kind: "paragraph",
        text: [
          isWhole
            ? `The money is back in your balance with ${name}.`
            : `What is left of it is in your balance with ${name}.`,
          isLeaving
            ? "You have asked us to close your account: the page about that shows where the money goes."
            : "It stays yours, however long it takes.",
        ].join(" "),
      },
      isLeaving
        ? { kind: "button", label: "See where it goes", path: paths.closeAccount }
        : needsDetails
          ? { kind: "button", label: "Give your bank details", path: paths.bankDetails }
          : isWhole
            ? { kind: "button", label: "Withdraw it again", path: paths.withdraw }
            : { kind: "button", label: "See your money", path: paths.money },
    ],
  }),
});
