// npm run payments:disputes -- list | all | show | refunds | read
import { readConfig } from "../env.ts";
import { openCards } from "../payments/open-cards.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { DISPUTE_USAGE, DisputeActionError, runDisputeAction } from "./dispute-actions.ts";

await runCommand(run, DisputeActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(DISPUTE_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    for (const line of await runDisputeAction({ db, cards: openCards(config), now: () => new Date() }, words))
      console.log(line);
  });
}
