// npm run ledger:check [-- --rebuild]
import { parseArgs } from "node:util";
import { checkCashback } from "@farthing/core/cashback/check.server.ts";
import { checkClosures } from "@farthing/core/closures/check.server.ts";
import { checkGoodwill } from "@farthing/core/goodwill/check.server.ts";
import { checkGiftCards } from "@farthing/core/gift-cards/check.server.ts";
import { checkLedger } from "@farthing/core/ledger/check.server.ts";
import { checkPayouts } from "@farthing/core/payouts/check.server.ts";
import { checkBonuses } from "@farthing/core/referrals/check.server.ts";
import { checkDisputes, checkFees, checkPayments, compareBalance } from "@farthing/core/payments/check.server.ts";
import { countHeldTransactions } from "@farthing/core/networks/queries.server.ts";
import { rebuildTotals } from "@farthing/core/ledger/totals.server.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { openCards } from "../payments/open-cards.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";

const USAGE = `npm run ledger:check [-- --rebuild]

Checks the ledger (docs/ledger.md): every transfer balances, balances can be recomputed from their entries, and cashback entries and payments
agree with their postings. Exits with 0 if they do, with 1 and a sentence per fault if they don't.

  --rebuild  recomputes the totals from the entries first; needed once after a restore into a new database server`;

try {
  process.exitCode = await run();
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(): Promise<number> {
  const options = readOptions();
  if (!options) {
    console.error(USAGE);
    return 1;
  }
  const closing: Closing[] = [];
  const config = readConfig();
  const { db } = await openServerDatabase(config, console.log, closing);
  try {
    if (options.rebuild) {
      await rebuildTotals(db);
      console.log("Totals rebuilt from the entries");
    }
    const { transfers, entries, accounts, faults } = await checkLedger(db);
    const { live: cards, test } = openCards(config);
    const compared = cards && (await compareBalance(db, cards, { isShared: cards === test }));
    const all = [
      ...(compared?.faults ?? []),
      ...faults,
      ...(await checkCashback(db)),
      ...(await checkPayments(db)),
      ...(await checkDisputes(db)),
      ...(await checkFees(db)),
      ...(await checkClosures(db)),
      ...(await checkPayouts(db)),
      ...(await checkBonuses(db)),
      ...(await checkGoodwill(db)),
      ...(await checkGiftCards(db)),
    ];
    console.log(`${transfers} transfers, ${entries} entries, ${accounts} accounts`);
    if (cards)
      console.log(
        `  note: ${compared?.note ?? "The card provider does not answer, or the key may not read its balance: it was not compared."}`,
      );
    for (const { reason, count, oldest } of await countHeldTransactions(db)) {
      console.log(
        `  note: ${count} purchases credited to nobody (${reason}), the oldest from ${oldest.toISOString().slice(0, 10)}`,
      );
    }
    for (const fault of all) console.error(`  ${fault}`);
    console.log(
      all.length === 0 ? "The books balance." : `${all.length} ${all.length === 1 ? "fault" : "faults"} found.`,
    );
    return all.length === 0 ? 0 : 1;
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}

function readOptions(): { rebuild: boolean } | null {
  try {
    return parseArgs({ options: { rebuild: { type: "boolean", default: false } } }).values;
  } catch {
    return null; // an unknown option; the usage lists the known ones
  }
}
