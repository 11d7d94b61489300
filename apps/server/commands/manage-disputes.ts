// npm run payments:disputes -- list | all | show | refunds | read
import { ConfigurationError, readConfig } from "../env.ts";
import { openCards } from "../payments/open-cards.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { DISPUTE_USAGE, DisputeActionError, runDisputeAction } from "./dispute-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof DisputeActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(DISPUTE_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  try {
    for (const line of await runDisputeAction({ db, cards: openCards(config), now: () => new Date() }, words))
      console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
