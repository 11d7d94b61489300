import { commandLine } from "../command-line.ts";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkBooks, keepCheck } from "@farthing/core/books/check-books.server.ts";
import { restoreBackup } from "@farthing/db/backups/restore-backup.ts";
import type { Config } from "../env.ts";
import { openCards } from "../payments/open-cards.ts";
import { databaseFitness } from "../process/database-fitness.ts";
import { openServerDatabase } from "../process/open-database.ts";
import type { Closing } from "../process/shutdown.ts";
import { keyFingerprint } from "../secrets/key-fingerprint.ts";
import { keysOf } from "../secrets/keys-of.ts";
import { countSecrets } from "./secret-actions.ts";

export const RESTORE_USAGE = `${commandLine("restore --from <folder> --to <folder> [--at <time>]")}

  --from  BACKUP_DIR of the lost installation, or a copy of it
  --to    the new DATA_DIR: an empty folder, or none yet
  --at    restores what was committed up to a moment, for example 2026-11-26T14:30:00Z; without it, all that was archived

Checks every file before it writes anything, restores the embedded database, and proves the books (docs/operations/backup.md). Exits with 1
where the books don't balance, or where FARTHING_SECRET does not read what is encrypted.`;

/** An error that the person at the command line can fix; printed without a stack. */
export class RestoreActionError extends Error {}

export interface RestoreWords {
  from: string;
  to: string;
  at: Date | undefined;
}

/** Reads the options of `npm run restore`. @throws RestoreActionError */
export function readRestoreWords(words: readonly string[]): RestoreWords {
  let values: { from?: string; to?: string; at?: string };
  try {
    const options = { from: { type: "string" }, to: { type: "string" }, at: { type: "string" } } as const;
    values = parseArgs({ args: [...words], options }).values;
  } catch {
    throw new RestoreActionError(RESTORE_USAGE); // an unknown option; the usage lists the known ones
  }
  const { from, to, at } = values;
  if (!from || !to) throw new RestoreActionError(RESTORE_USAGE);
  if (at === undefined) return { from, to, at };
  // A time without a zone would mean another moment on another machine.
  const moment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,6})?)?(Z|[+-]\d{2}:\d{2})$/.test(at)
    ? new Date(at)
    : null;
  if (moment === null || Number.isNaN(moment.getTime()))
    throw new RestoreActionError(`${at} is not a moment with a zone. Name it for example as 2026-11-26T14:30:00Z.`);
  return { from, to, at: moment };
}

export interface RestoreParts {
  /** Its data folder and the addresses of databases are not used: the data are restored to `to`. */
  config: Config;
  /** Prints how far it is. */
  report(line: string): void;
  now(): Date;
}

/**
 * Restores the embedded database into an empty folder, proves the books, and says what the present secrets read. Nothing of it
 * reaches the archive. Returns the lines to print, and whether all is well.
 * @throws BackupError where nothing was restored
 */
export async function runRestore(
  { config, report, now }: RestoreParts,
  { from, to, at }: RestoreWords,
): Promise<{ lines: string[]; isWell: boolean }> {
  const restored = await restoreBackup({ from, folder: join(to, "postgres"), at, log: report });
  const { backup, lastCommitAt } = restored;
  const closing: Closing[] = [];
  try {
    // No server that the settings name: its migrations would be applied there.
    const elsewhere = { databaseUrl: null, databaseDirectUrl: null, databaseReadUrl: null };
    const place = { ...config, ...elsewhere, dataDir: to, backupDir: null };
    const { db } = await openServerDatabase(place, report, closing);
    await databaseFitness(db);
    const begun = performance.now();
    const checked = await checkBooks(db, { cards: openCards(config) });
    await keepCheck(db, { checked, by: commandLine("restore"), tookMs: performance.now() - begun, now: now() });
    const secrets = await countSecrets({ db, keysFor: (purpose) => keysOf(config, purpose) });
    const isKnown = [config.secret, ...config.oldSecrets].some(
      (secret) => keyFingerprint(secret) === backup.keyFingerprint,
    );
    return {
      lines: [
        `Restored to ${restored.folder} from the base backup of ${backup.finishedAt} and the log after it.`,
        `The data go until ${(lastCommitAt ?? new Date(backup.finishedAt)).toISOString()}, the last commit that is there.`,
        ...checked.notes.map((note) => `  note: ${note}`),
        ...checked.faults.map((fault) => `  ${fault}`),
        checked.faults.length === 0
          ? `The books balance: ${checked.transfers} transfers, ${checked.entries} entries.`
          : `${checked.faults.length} faults in the books.`,
        ...secretLines(secrets, isKnown, backup.keyFingerprint),
        `Next: start Farthing with this DATA_DIR and with BACKUP_DIR, run ${commandLine("backup")}, and read docs/operations/backup.md on what left the club since.`,
      ],
      isWell: checked.faults.length === 0 && secrets.unreadable === 0 && isKnown,
    };
  } finally {
    for (const part of closing.reverse()) await part.close();
  }
}

function secretLines(
  { lines, unreadable }: { lines: string[]; unreadable: number },
  isKnown: boolean,
  fingerprint: string,
): string[] {
  if (isKnown && unreadable === 0) return ["FARTHING_SECRET reads everything that is encrypted."];
  return [
    ...(isKnown
      ? []
      : [
          `FARTHING_SECRET here is not the one of this backup, whose fingerprint is ${fingerprint}, and FARTHING_OLD_SECRETS lacks it too.`,
        ]),
    ...(unreadable === 0
      ? [
          "Nothing that is encrypted in it is lost by that, but everyone is signed out, and partners' webhooks are signed otherwise.",
        ]
      : [
          "With the secrets that are set here these can't be read, and members would have to give them again:",
          ...lines.filter((line) => line.includes("can't be read")).map((line) => `  ${line}`),
        ]),
    ...(isKnown
      ? []
      : [
          `Farthing does not start with another secret: set the one of this backup, or run ${commandLine("secrets adopt")}.`,
        ]),
  ];
}
