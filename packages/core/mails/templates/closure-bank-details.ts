import { z } from "zod";
import { formatPence } from "../../money/money.ts";
import { mailTemplate } from "../mail-template.ts";
import { paths } from "../../paths.ts";

/** Somebody leaves, money has come in since they asked, and we don't know where to pay it. */
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
