// npm run restore -- --from <folder> --to <folder> [--at <time>]
import { BackupError } from "@farthing/db/backups/archive.ts";
import { readConfig } from "../env.ts";
import { runCommand } from "../process/run-command.ts";
import { readRestoreWords, RESTORE_USAGE, RestoreActionError, runRestore } from "./restore-actions.ts";

await runCommand(run, RestoreActionError, BackupError);

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
