// npm run brands -- list | show | choices | create | hosts | retailers | legal
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { StartError } from "../process/start-error.ts";
import { BrandActionError, BRAND_USAGE, runBrandAction } from "./brand-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof StartError || error instanceof BrandActionError))
    throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(BRAND_USAGE);
  const closing: Closing[] = [];
  try {
    const { db } = await openServerDatabase(readConfig(), (line) => console.error(line), closing);
    for (const line of await runBrandAction({ db, now: () => new Date() }, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
