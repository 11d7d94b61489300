// npm run gift-cards -- list | show | resolve | float | sync | stop | resume | reward | rotate
import { readConfig, typedBy } from "../env.ts";
import { openIssuers } from "../gift-cards/open-issuers.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { GIFT_CARD_USAGE, GiftCardActionError, runGiftCardAction } from "./gift-card-actions.ts";

await runCommand(run, GiftCardActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(GIFT_CARD_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const parts = {
      ...{ db, issuers: openIssuers(config.issuers), keys: keysOf(config, "gift-cards") },
      ...{ by: typedBy(), report: (line: string) => console.log(line), now: () => new Date() },
    };
    for (const line of await runGiftCardAction(parts, words)) console.log(line);
  });
}
