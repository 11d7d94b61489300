// npm run members -- suspend | restore
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { MemberActionError, MEMBER_USAGE, runMemberAction } from "./member-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof ConfigurationError || error instanceof MemberActionError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words.length === 0 || words[0] === "--help") return console.log(MEMBER_USAGE);
  const closing: Closing[] = [];
  const { db } = await openServerDatabase(readConfig(), (line) => console.error(line), closing);
  try {
    for (const line of await runMemberAction({ db, now: () => new Date() }, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
