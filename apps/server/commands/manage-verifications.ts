// npm run verifications -- list | show | accept | reject
import { deriveKey } from "../secrets/derive-key.ts";
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { runVerificationAction, VerificationActionError, VERIFICATION_USAGE } from "./verification-actions.ts";

await runCommand(run, VerificationActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(VERIFICATION_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const [key = "", ...oldKeys] = [config.secret, ...config.oldSecrets].map((secret) =>
      deriveKey(secret, "attachment"),
    );
    const parts = { db, key, oldKeys, by: typedBy(), now: () => new Date() };
    for (const line of await runVerificationAction(parts, words)) console.log(line);
  });
}
