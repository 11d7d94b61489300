import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** For a member who leaves: money is theirs, and we have no account to pay it to, or one that a payment did not reach. */
export const closureBankDetails = mailTemplate({
  kind: "closure-bank-details",
  schema: z.object({
    payablePence: z.int().positive(),
    /** The payment that did not arrive, and why, as a sentence with what to do; null: none failed. */
    notPaid: z
      .object({ amountPence: z.int().positive(), reason: z.string().min(1).max(300) })
      .nullable()
      .default(null),
  }),
  content: ({ payablePence, notPaid }, { name }) => ({
    subject: `Where shall we pay your ${formatPence(payablePence)}?`,
    preheader: "One thing before we close your account.",
    blocks: [
      {
        kind: "paragraph",
        text: notPaid
          ? `You asked us to close your ${name} account. We could not pay you ${formatPence(notPaid.amountPence)}. ${notPaid.reason}`
          : `You asked us to close your ${name} account. ${formatPence(payablePence)} is yours, and we have no account to pay it to.`,
      },
      {
        kind: "paragraph",
        text: `Tell us the bank account, and we pay ${formatPence(payablePence)} before we close anything.`,
      },
      { kind: "button", label: "Give the bank account", path: paths.closeAccount },
      { kind: "small-print", text: "The money stays yours however long it takes you." },
    ],
  }),
});
