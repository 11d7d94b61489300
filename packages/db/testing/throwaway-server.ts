import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  chmodSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { socketFolder } from "../embedded-location.ts";
import { startEmbedded } from "../embedded.ts";

const PREFIX = "farthing-throwaway-";
const MEMORY = "/dev/shm";
const MEMORY_NEEDED = 4 * 1024 ** 3;

/**
 * Starts a PostgreSQL for a test run, a check or a benchmark, in a temporary folder that `stop` deletes. Servers and
 * folders that killed runs left are removed first.
 *
 * The folder is in memory where 4 GiB are free there, unless the server is `durable`. Each test file creates and drops a database of some 1,500 files: on
 * ext4 without a journal, which does not reuse the inodes of files deleted within the last minute and looks at each of them, that takes 0.8 s instead of 0.03.
 */
export async function startThrowawayServer({
  durable = false,
  settings = {},
}: { durable?: boolean; settings?: Readonly<Record<string, string>> } = {}): Promise<{
  url: string;
  stop(): Promise<void>;
}> {
  await clearAbandoned();
  const folder = mkdtempSync(path.join(durable || !hasMemory() ? tmpdir() : MEMORY, PREFIX));
  chmodSync(folder, 0o755); // where root runs this, the server's account must be able to enter it
  writeFileSync(path.join(folder, "owner"), String(process.pid));
  mkdirSync(path.join(folder, "data"), { mode: 0o755 });
  const server = await startEmbedded({ folder: path.join(folder, "data", "postgres"), durable, settings });
  return {
    url: server.url,
    async stop() {
      process.kill(server.pid, "SIGQUIT"); // its data is deleted, so nothing has to be flushed
      await removeWhenEnded(folder, server.pid);
    },
  };
}

function hasMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize >= MEMORY_NEEDED;
  } catch {
    return false; // only Linux has this folder
  }
}

async function clearAbandoned(): Promise<void> {
  for (const folder of [tmpdir(), MEMORY].flatMap(throwawayFolders)) {
    const owner = readNumber(path.join(folder, "owner"));
    if (owner === null || isAlive(owner)) continue;
    const server = readNumber(path.join(folder, "data", "postgres", "postmaster.pid"));
    if (server !== null && isAlive(server)) process.kill(server, "SIGQUIT");
    await removeWhenEnded(folder, server);
  }
}

function throwawayFolders(parent: string): string[] {
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => path.join(parent, name));
}

async function removeWhenEnded(folder: string, pid: number | null): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (pid !== null && isAlive(pid) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  rmSync(socketFolder(path.join(folder, "data", "postgres")), { recursive: true, force: true });
  rmSync(folder, { recursive: true, force: true });
}

function readNumber(file: string): number | null {
  try {
    return Number.parseInt(readFileSync(file, "utf8"), 10) || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
