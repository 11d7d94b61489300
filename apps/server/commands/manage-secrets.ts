// npm run secrets -- status | rotate | adopt
import type { SealPurpose } from "@farthing/core/secrets/rotation.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { adoptSecret } from "../secrets/database-secret.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { runSecretAction, SECRET_USAGE, SecretActionError } from "./secret-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof SecretActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(SECRET_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  try {
    const report = (line: string) => console.log(line);
    const keysFor = (purpose: SealPurpose) => keysOf(config, purpose);
    const parts = { db, keysFor, report, now: () => new Date(), adopt: () => adoptSecret(db, config) };
    for (const line of await runSecretAction(parts, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
