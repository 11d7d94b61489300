import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { longDate } from "../long-date.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** For a member whose money has left. */
export const payoutPaid = mailTemplate({
  kind: "payout-paid",
  schema: z.object({
    amountPence: z.int().positive(),
    /** Null where the method has no account. */
    accountEnding: z
      .string()
      .regex(/^\d{4}$/)
      .nullable(),
    entryDay: z.iso.date(),
    /** What the bank statement names it by. */
    reference: z.string().max(18),
  }),
  content: ({ amountPence, accountEnding, entryDay, reference }, { name }) => ({
    subject: `${formatPence(amountPence)} is paid`,
    preheader: `In your account by ${longDate(`${entryDay}T12:00:00Z`)}.`,
    blocks: [
      { kind: "paragraph", text: `${name} has paid you ${formatPence(amountPence)}.` },
      {
        kind: "facts",
        facts: [
          ...(accountEnding === null ? [] : [{ label: "To the account ending in", value: accountEnding }]),
          { label: "There by", value: longDate(`${entryDay}T12:00:00Z`) },
          { label: "On your statement as", value: reference },
        ],
      },
      { kind: "button", label: "See your withdrawals", path: paths.withdraw },
    ],
  }),
});
