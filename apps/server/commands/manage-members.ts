// npm run members -- suspend | restore
import { readConfig, typedBy } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { MemberActionError, MEMBER_USAGE, runMemberAction } from "./member-actions.ts";

await runCommand(run, MemberActionError);

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(MEMBER_USAGE);
  await withDatabase(readConfig(), async ({ db }) => {
    for (const line of await runMemberAction({ db, by: typedBy(), now: () => new Date() }, words)) console.log(line);
  });
}
