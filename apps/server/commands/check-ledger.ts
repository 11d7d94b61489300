// npm run ledger:check [-- --rebuild]
import { commandLine } from "../command-line.ts";
import { parseArgs } from "node:util";
import { checkBooks, keepCheck } from "@farthing/core/books/check-books.server.ts";
import { rebuildTotals } from "@farthing/core/ledger/totals.server.ts";
import { readConfig } from "../env.ts";
import { openCards } from "../payments/open-cards.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";

const USAGE = `${commandLine("ledger:check [--rebuild]")}

Checks the ledger (docs/ledger.md): every transfer balances, balances can be recomputed from their entries, and cashback entries and payments
agree with their postings. Keeps what it found for the admin and the metrics. Exits with 0 if they agree, with 1 and a sentence per fault if they don't.

  --rebuild  recomputes the totals from the entries first; needed once after a restore into a new database server`;

await runCommand(run);

async function run(): Promise<number> {
  const options = readOptions();
  if (!options) {
    console.error(USAGE);
    return 1;
  }
  const config = readConfig();
  return withDatabase(
    config,
    async ({ db }) => {
      if (options.rebuild) {
        await rebuildTotals(db);
        console.log("Totals rebuilt from the entries");
      }
      const begun = performance.now();
      const checked = await checkBooks(db, { cards: openCards(config) });
      await keepCheck(db, {
        checked,
        by: commandLine("ledger:check"),
        tookMs: performance.now() - begun,
        now: new Date(),
      });
      const { transfers, entries, accounts, notes, faults: all } = checked;
      console.log(`${transfers} transfers, ${entries} entries, ${accounts} accounts`);
      for (const note of notes) console.log(`  note: ${note}`);
      for (const fault of all) console.error(`  ${fault}`);
      console.log(
        all.length === 0 ? "The books balance." : `${all.length} ${all.length === 1 ? "fault" : "faults"} found.`,
      );
      return all.length === 0 ? 0 : 1;
    },
    console.log,
  );
}

function readOptions(): { rebuild: boolean } | null {
  try {
    return parseArgs({ options: { rebuild: { type: "boolean", default: false } } }).values;
  } catch {
    return null; // an unknown option; the usage lists the known ones
  }
}
