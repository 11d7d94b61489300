// npm run backup [-- list | check]
import { BackupError } from "@farthing/db/backups/archive.ts";
import { ConfigurationError, readConfig } from "../env.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { StartError } from "../process/start-error.ts";
import { keyFingerprint } from "../secrets/key-fingerprint.ts";
import { BACKUP_USAGE, BackupActionError, runBackupAction } from "./backup-actions.ts";

try {
  await run(process.argv.slice(2));
} catch (error) {
  if (![ConfigurationError, BackupActionError, BackupError, StartError].some((known) => error instanceof known))
    throw error;
  console.error((error as Error).message);
  process.exitCode = 1;
}

async function run(words: string[]): Promise<void> {
  if (words[0] === "--help") return console.log(BACKUP_USAGE);
  const config = readConfig();
  const closing: Closing[] = [];
  const { db, url, dataFolder } = await openServerDatabase(config, (line) => console.error(line), closing);
  try {
    const parts = {
      ...{ db, url, dataFolder },
      ...{ backupDir: config.backupDir, backupsKept: config.backupsKept },
      ...{ keyFingerprint: keyFingerprint(config.secret), now: () => new Date() },
    };
    for (const line of await runBackupAction(parts, words)) console.log(line);
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}
