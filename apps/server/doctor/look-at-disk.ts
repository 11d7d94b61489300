import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Db } from "@farthing/db/client.ts";
import { sql } from "kysely";
import { type DoctorParts, type Finding, look, ok, wrong } from "./finding.ts";

const GB = 1_000_000_000;
/** Below this, in bytes, a burst of uploads or of write-ahead log fills the disk within hours. */
export const MIN_FREE_BYTES = 2 * GB;
/** Below this share, in per cent, of the disk. */
export const MIN_FREE_PERCENT = 10;

const ANSWERS_FAIL = "a full disk answers every request with 503.";
const BACKUPS_FAIL = "on a full disk no log is archived, and it fills the database’s disk meanwhile.";

/** Looks at the free space of DATA_DIR, of BACKUP_DIR, and of the database's disk where it is on this machine. */
export async function lookAtDisk({ config, database }: DoctorParts): Promise<Finding[]> {
  if (!config) return [];
  const findings = [await freeSpaceOf("DATA_DIR", config.dataDir)];
  if (config.backupDir !== null && config.databaseUrl === null)
    findings.push(await freeSpaceOf("BACKUP_DIR", config.backupDir, BACKUPS_FAIL));
  if (!database) return findings;
  const folder = database.embeddedFolder ?? (await localDataFolder(database.db, database.url));
  if (folder === null)
    return [...findings, ok("The database is on another machine, or hides its folder: watch its disk there.")];
  return [...findings, await freeSpaceOf("The database’s folder", folder)];
}

async function freeSpaceOf(name: string, folder: string, consequence?: string): Promise<Finding> {
  if (!existsSync(folder))
    return look(`${name} does not exist yet.`, "The first start creates it; otherwise correct the setting.");
  const { bavail, blocks, bsize } = await statfs(folder);
  return freeSpaceFinding(name, { freeBytes: bavail * bsize, totalBytes: blocks * bsize }, consequence);
}

/** Returns what free space means; `consequence` says what a full disk ends. Pure. */
export function freeSpaceFinding(
  name: string,
  { freeBytes, totalBytes }: { freeBytes: number; totalBytes: number },
  consequence = ANSWERS_FAIL,
): Finding {
  const percent = Math.floor((freeBytes * 100) / Math.max(1, totalBytes));
  const says = `${name} is on a disk with ${Math.floor(freeBytes / GB)} GB free (${percent} %).`;
  if (freeBytes < MIN_FREE_BYTES) return wrong(says, `Free some space now: ${consequence}`);
  if (percent < MIN_FREE_PERCENT) return look(says, "Free some space, or enlarge the disk.");
  return ok(says);
}

/** Returns the database's folder where its server is on this machine and says where; otherwise null. */
async function localDataFolder(db: Db, url: string): Promise<string | null> {
  const { hostname, searchParams } = new URL(url);
  const host = searchParams.get("host") ?? hostname;
  if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\]|\/.*)$/.test(host)) return null;
  // Only some roles may read it; for others pg_settings has no such row.
  const { rows } = await sql<{ setting: string }>`
    select setting from pg_settings where name = 'data_directory' and setting <> ''`.execute(db);
  const folder = rows[0]?.setting;
  return folder !== undefined && existsSync(folder) ? folder : null;
}
