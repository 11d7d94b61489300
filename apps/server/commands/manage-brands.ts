// npm run brands -- list | show | choices | create | hosts | remove | retailers | legal
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { BrandActionError, BRAND_USAGE, runBrandAction } from "./brand-actions.ts";

await runCommand(run, BrandActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(BRAND_USAGE);
  await withDatabase(readConfig(), async ({ db }) => {
    const parts = { db, by: typedBy(), now: () => new Date() };
    for (const line of await runBrandAction(parts, words)) console.log(line);
  });
}
