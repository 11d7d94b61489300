// npm run operators -- list | add | role | disable | reset | check-log
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { OPERATOR_USAGE, OperatorActionError, runOperatorAction } from "./operator-actions.ts";

await runCommand(run, OperatorActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(OPERATOR_USAGE);
  await withDatabase(readConfig(), async ({ db }) => {
    const parts = { db, by: typedBy(), now: () => new Date() };
    for (const line of await runOperatorAction(parts, words)) console.log(line);
  });
}
