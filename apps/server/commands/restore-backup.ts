// npm run restore -- --from <folder> --to <folder> [--at <time>]
import { BackupError } from "@farthing/db/backups/archive.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { StartError } from "../process/start-error.ts";
import { readRestoreWords, RESTORE_USAGE, RestoreActionError, runRestore } from "./restore-actions.ts";

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  if (![ConfigurationError, RestoreActionError, BackupError, StartError].some((known) => error instanceof known))
    throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<number> {
  if (words.includes("--help")) {
    console.log(RESTORE_USAGE);
    return 0;
  }
  const wanted = readRestoreWords(words);
  const parts = { config: readConfig(), report: (line: string) => console.log(line), now: () => new Date() };
  const { lines, isWell } = await runRestore(parts, wanted);
  for (const line of lines) console.log(line);
  return isWell ? 0 : 1;
}
