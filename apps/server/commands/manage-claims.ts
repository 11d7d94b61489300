// npm run claims -- list | show | pack | file | accept | decline | ask | retry | rule | default-rule
import { deriveKey } from "../secrets/derive-key.ts";
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { filesFolder } from "./files-folder.ts";
import { runClaimAction, ClaimActionError, CLAIM_USAGE } from "./claim-actions.ts";

await runCommand(run, ClaimActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(CLAIM_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const [key = "", ...oldKeys] = [config.secret, ...config.oldSecrets].map((secret) =>
      deriveKey(secret, "attachment"),
    );
    const parts = { db, key, oldKeys, by: typedBy(), now: () => new Date(), ...filesFolder(config.payoutsDir) };
    for (const line of await runClaimAction(parts, words)) console.log(line);
  });
}
