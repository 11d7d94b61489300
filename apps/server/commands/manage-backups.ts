// npm run backup [-- list | check]
import { BackupError } from "@farthing/db/backups/archive.ts";
import { readConfig } from "../env.ts";
import { runCommand, withDatabase } from "../process/run-command.ts";
import { keyFingerprint } from "../secrets/key-fingerprint.ts";
import { BACKUP_USAGE, BackupActionError, runBackupAction } from "./backup-actions.ts";

await runCommand(run, BackupActionError, BackupError);

async function run(words: string[]): Promise<void> {
  if (words[0] === "--help") return console.log(BACKUP_USAGE);
  const config = readConfig();
  await withDatabase(config, async ({ db, url, dataFolder }) => {
    const parts = {
      ...{ db, url, dataFolder },
      ...{ backupDir: config.backupDir, backupsKept: config.backupsKept },
      ...{ keyFingerprint: keyFingerprint(config.secret), now: () => new Date() },
    };
    for (const line of await runBackupAction(parts, words)) console.log(line);
  });
}
