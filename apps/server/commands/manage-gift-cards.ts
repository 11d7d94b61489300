// npm run gift-cards -- list | show | resolve | float | sync | stop | resume | reward | rotate
import { ConfigurationError, readConfig, typedBy } from "../env.ts";
import { openIssuers } from "../gift-cards/open-issuers.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { GIFT_CARD_USAGE, GiftCardActionError, runGiftCardAction } from "./gift-card-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof GiftCardActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(GIFT_CARD_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  try {
    const parts = {
      ...{ db, issuers: openIssuers(config.issuers), keys: keysOf(config, "gift-cards") },
      ...{ by: typedBy(), report: (line: string) => console.log(line), now: () => new Date() },
    };
    for (const line of await runGiftCardAction(parts, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
