// npm run claims -- list | show | pack | file | accept | decline | ask | retry | rule
import { deriveKey } from "../secrets/derive-key.ts";
import { ConfigurationError, readConfig, typedBy } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { filesFolder } from "./files-folder.ts";
import { runClaimAction, ClaimActionError, CLAIM_USAGE } from "./claim-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof ClaimActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(CLAIM_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  const [key = "", ...oldKeys] = [config.secret, ...config.oldSecrets].map((secret) => deriveKey(secret, "attachment"));
  const parts = {
    db,
    key,
    oldKeys,
    by: typedBy(),
    now: () => new Date(),
    ...filesFolder(config.payoutsDir),
  };
  try {
    for (const line of await runClaimAction(parts, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
