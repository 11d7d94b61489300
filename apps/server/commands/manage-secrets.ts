// npm run secrets -- status | rotate | adopt
import type { SealPurpose } from "@farthing/core/secrets/rotation.ts";
import { readConfig } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { adoptSecret } from "../secrets/database-secret.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { runSecretAction, SECRET_USAGE, SecretActionError } from "./secret-actions.ts";

await runCommand(run, SecretActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(SECRET_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const report = (line: string) => console.log(line);
    const keysFor = (purpose: SealPurpose) => keysOf(config, purpose);
    const parts = { db, keysFor, report, now: () => new Date(), adopt: () => adoptSecret(db, config) };
    for (const line of await runSecretAction(parts, words)) console.log(line);
  });
}
