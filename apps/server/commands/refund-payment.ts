// npm run payments:refund -- <payment> [pounds]
import { commandLine } from "../command-line.ts";
import { NoCardAccountError } from "@farthing/core/payments/card-accounts.ts";
import { CardProviderRefusalError, CardProviderUnavailableError } from "@farthing/core/payments/provider.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { readConfig, typedBy } from "../env.ts";
import { openCards } from "../payments/open-cards.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { readRefund, REFUND_USAGE } from "./read-refund.ts";
import { refundWithEntry } from "./refund-with-entry.ts";

await runCommand(run, NoCardAccountError, CardProviderUnavailableError, CardProviderRefusalError);

async function run(words: string[]): Promise<number> {
  const wanted = readRefund(words);
  if (!wanted) {
    console.error(REFUND_USAGE);
    return 1;
  }
  const config = readConfig();
  if (!config.stripe && !config.stripeTest) {
    console.error("Payments are not configured: the STRIPE_ settings are missing (docs/configuration.md).");
    return 1;
  }
  return withDatabase(config, async ({ db }) => {
    const done = await refundWithEntry(db, openCards(config), { ...wanted, by: typedBy(), now: new Date() });
    if (done.outcome === "no-such-payment") {
      console.error(`There is no payment ${wanted.publicId}.`);
      return 1;
    }
    if (done.outcome === "contradiction") {
      console.error(`${done.why} The refund was sent; look at the payment at the card provider.`);
      return 1;
    }
    if (done.outcome === "refused" || done.outcome === "unsure") {
      console.error(
        done.outcome === "refused"
          ? `Nothing was refunded. ${done.why}`
          : "This refund was asked for more than 20 hours ago without an answer. It is looked up at the card provider and decided 26 hours after it was asked for: run the command again then.",
      );
      return 1;
    }
    if (done.outcome === "disputed") {
      console.error(
        `Nothing was refunded: the payer's bank has the money, or asks for it, so a refund would pay twice. See ${commandLine("payments:disputes")}.`,
      );
      return 1;
    }
    if (done.outcome === "already-refunded") {
      console.error(
        `Nothing was refunded now: ${formatPence(done.refund.amountPence)} was refunded at ${done.refund.askedAt.toISOString()}. To refund that amount once more, add "another".`,
      );
      return 1;
    }
    const { state, refundedPence, amountPence } = done.payment;
    const gone = `${formatPence(refundedPence)} of ${formatPence(amountPence)}`;
    if (done.outcome === "refunded") {
      console.log(`Refunded: ${gone} has gone back.`);
      return 0;
    }
    if (done.outcome === "refunds-running") {
      console.error("Nothing was refunded: other refunds of this payment are running. Try again in a moment.");
      return 1;
    }
    console.error(`Nothing was refunded: the payment is ${state}, and ${gone} had gone back before.`);
    return 1;
  });
}
