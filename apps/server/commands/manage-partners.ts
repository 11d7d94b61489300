// npm run partners -- list | add | key | revoke | allow | withdraw | webhook | suspend | resume
import { deriveKey } from "../secrets/derive-key.ts";
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { PartnerActionError, PARTNER_USAGE, runPartnerAction } from "./partner-actions.ts";

await runCommand(run, PartnerActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(PARTNER_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const webhookKey = deriveKey(config.secret, "partner-webhook");
    const allowLocal = config.environment === "dev";
    const parts = { db, webhookKey, allowLocal, by: typedBy(), now: () => new Date() };
    for (const line of await runPartnerAction(parts, words)) console.log(line);
  });
}
