// npm run referrals -- list | show | hold | lift | refuse | rules | start | end
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { ReferralActionError, REFERRAL_USAGE, runReferralAction } from "./referral-actions.ts";

await runCommand(run, ReferralActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(REFERRAL_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const parts = { db, keys: keysOf(config, "unsubscribe"), by: typedBy(), now: () => new Date() };
    for (const line of await runReferralAction(parts, words)) console.log(line);
  });
}
