import { mkdirSync, mkdtempSync, readdirSync, readFileSync, chmodSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { socketFolder } from "../embedded-location.ts";
import { startEmbedded } from "../embedded.ts";

const PREFIX = "farthing-throwaway-";

/**
 * Starts a PostgreSQL for a test run, a check or a benchmark, in a temporary folder that `stop` deletes. Servers and
 * folders that killed runs left are removed first.
 */
export async function startThrowawayServer({
  durable = false,
  settings = {},
}: { durable?: boolean; settings?: Readonly<Record<string, string>> } = {}): Promise<{
  url: string;
  stop(): Promise<void>;
}> {
  await clearAbandoned();
  const folder = mkdtempSync(path.join(tmpdir(), PREFIX));
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

async function clearAbandoned(): Promise<void> {
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(PREFIX)) continue;
    const folder = path.join(tmpdir(), name);
    const owner = readNumber(path.join(folder, "owner"));
    if (owner === null || isAlive(owner)) continue;
    const server = readNumber(path.join(folder, "data", "postgres", "postmaster.pid"));
    if (server !== null && isAlive(server)) process.kill(server, "SIGQUIT");
    await removeWhenEnded(folder, server);
  }
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
