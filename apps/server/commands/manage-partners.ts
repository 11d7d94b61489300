// npm run partners -- list | add | key | revoke | allow | withdraw | webhook | suspend | resume
import { deriveKey } from "../secrets/derive-key.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { PartnerActionError, PARTNER_USAGE, runPartnerAction } from "./partner-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof PartnerActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(PARTNER_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  const webhookKey = deriveKey(config.secret, "partner-webhook");
  const allowLocal = config.environment === "dev";
  try {
    for (const line of await runPartnerAction({ db, webhookKey, allowLocal, now: () => new Date() }, words))
      console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
