// npm run closures -- list | paid
import { deriveKey } from "../secrets/derive-key.ts";
import { ConfigurationError, readConfig, typedBy } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { ClosureActionError, CLOSURE_USAGE, runClosureAction } from "./closure-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof ClosureActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(CLOSURE_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(config, (line) => console.error(line), closing);
  const old = config.oldSecrets.map((former) => deriveKey(former, "payee"));
  const keys = [deriveKey(config.secret, "payee"), ...old] as const;
  try {
    for (const line of await runClosureAction({ db, keys, by: typedBy(), now: () => new Date() }, words))
      console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
