// npm run closures -- list | paid
import { deriveKey } from "../secrets/derive-key.ts";
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { ClosureActionError, CLOSURE_USAGE, runClosureAction } from "./closure-actions.ts";

await runCommand(run, ClosureActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(CLOSURE_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db }) => {
    const old = config.oldSecrets.map((former) => deriveKey(former, "payee"));
    const keys = [deriveKey(config.secret, "payee"), ...old] as const;
    for (const line of await runClosureAction({ db, keys, by: typedBy(), now: () => new Date() }, words))
      console.log(line);
  });
}
