// npm run referrals -- list | show | hold | lift | refuse | rules | start | end
import { ConfigurationError, readConfig, typedBy } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { ReferralActionError, REFERRAL_USAGE, runReferralAction } from "./referral-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof ReferralActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(REFERRAL_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  try {
    const parts = { db, keys: keysOf(config, "unsubscribe"), by: typedBy(), now: () => new Date() };
    for (const line of await runReferralAction(parts, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
