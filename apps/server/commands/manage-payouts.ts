// npm run payouts -- list | batch | approve | reject | file | batches | confirm | failures | stop | request | hold | holds | lift | threshold
import { bankMethod } from "@farthing/core/payouts/bank-method.server.ts";
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { filesFolder } from "./files-folder.ts";
import { PAYOUT_USAGE, runPayoutAction } from "./payout-actions.ts";
import { PayoutActionError } from "./payout-command.ts";

await runCommand(run, PayoutActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(PAYOUT_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const bankKeys = keysOf(config, "bank-details");
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
  });
}
