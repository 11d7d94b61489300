import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** For a member who leaves: money has arrived since they asked, and we have no account to pay it to. */
export const closureBankDetails = mailTemplate({
  kind: "closure-bank-details",
  schema: z.object({ payablePence: z.int().positive() }),
  content: ({ payablePence }, { name }) => ({
    subject: `Where shall we pay your ${formatPence(payablePence)}?`,
    preheader: "One thing before we close your account.",
    blocks: [
      {
        kind: "paragraph",
        text: `You asked us to close your ${name} account. Since then ${formatPence(payablePence)} has become yours. Tell us the bank account, and we pay it before we close anything.`,
      },
      { kind: "button", label: "Give the bank account", path: paths.closeAccount },
      { kind: "small-print", text: "The money stays yours however long it takes you." },
    ],
  }),
});
