// npm run members:goodwill -- give | claim | reverse | list
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { GOODWILL_USAGE, GoodwillActionError, runGoodwillAction } from "./goodwill-actions.ts";

await runCommand(run, GoodwillActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(GOODWILL_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const parts = { db, limits: config.goodwill, by: typedBy(), now: () => new Date() };
    for (const line of await runGoodwillAction(parts, words)) console.log(line);
  });
}
