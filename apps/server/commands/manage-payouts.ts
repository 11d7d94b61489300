// npm run payouts -- list | batch | approve | reject | file | batches | confirm | failures | stop | request | hold | holds | lift | threshold
import { bankMethod } from "@farthing/core/payouts/bank-method.server.ts";
import { ConfigurationError, readConfig, typedBy } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { filesFolder } from "./files-folder.ts";
import { PayoutActionError, PAYOUT_USAGE, runPayoutAction } from "./payout-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof PayoutActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(PAYOUT_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  const bankKeys = keysOf(config, "bank-details");
  try {
    const parts = {
      db,
      method: config.bacs && bankMethod({ keys: bankKeys, originator: config.bacs }),
      bankKeys,
      payeeKeys: keysOf(config, "payee"),
      by: typedBy(),
      now: () => new Date(),
      ...filesFolder(config.payoutsDir),
    };
    for (const line of await runPayoutAction(parts, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
