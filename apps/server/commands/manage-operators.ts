// npm run operators -- list | add | role | disable | reset | check-log
import { ConfigurationError, readConfig, typedBy } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { OPERATOR_USAGE, OperatorActionError, runOperatorAction } from "./operator-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof OperatorActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(OPERATOR_USAGE);
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(readConfig(), (line) => console.error(line), closing);
  try {
    const parts = { db, by: typedBy(), now: () => new Date() };
    for (const line of await runOperatorAction(parts, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
