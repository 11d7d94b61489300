import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import {
  programsFolder,
  reachableDataFolder,
  serverAccount,
  socketFolder,
  type ServerAccount,
} from "./embedded-location.ts";

export interface EmbeddedServer {
  /** Connection string of the application's database, over a private Unix socket. */
  url: string;
  /** Where the data really is; differs from the folder asked for where the server's account can't reach that. */
  folder: string;
  /** True where a server was found running, left behind by a process that was killed or in use by one that lives. */
  takenOver: boolean;
  /** True where others were connected to it when it was found: it is shared with them, and not ours. */
  isShared: boolean;
  /** The server's process at present; another one once it was started again. */
  readonly pid: number;
  /**
   * From now on a server that dies is started again, at once and then at growing intervals for a minute; each start and each failure is told to `log`.
   * After the last one `onGivenUp` is called, once, with the reason in words.
   */
  watch(watching: { onGivenUp(reason: string): void; intervalsMs?: readonly number[] }): void;
  /** Stops the server, unless other clients are still connected to it and `evenIfUsed` is not set. Ends the watching. */
  stop(options?: { evenIfUsed?: boolean }): Promise<void>;
}

/** Before each try to start a server that died: a minute in all. What keeps it from starting may pass, as a full disk does. */
const REVIVAL_INTERVALS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** How soon a death is noticed. */
const LOOK_EVERY_MS = 500;

export interface EmbeddedOptions {
  /** Folder of the data; made when missing. */
  folder: string;
  database?: string;
  /** False only for throw-away servers of tests: nothing is forced to disk. */
  durable?: boolean;
  log?: (line: string) => void;
}

/**
 * Starts the embedded PostgreSQL, or takes over the one that a killed process left running in the same folder (product.md P2).
 * It listens on a Unix socket that only its own account and root can reach, so there is no port to clash and no password to keep.
 * @throws Error with the end of the server's log when it does not come up.
 */
export async function startEmbedded({
  folder: wanted,
  database = "farthing",
  durable = true,
  log = () => {},
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const account = serverAccount();
  const folder = reachableDataFolder(wanted, account);
  if (folder !== path.resolve(wanted)) {
    log(
      `The database is kept in ${folder}: PostgreSQL does not run as root, and its account can't reach ${path.resolve(wanted)}. Set DATA_DIR to choose another place.`,
    );
  }
  const sockets = socketFolder(folder);
  const adminUrl = socketUrl(sockets, "postgres");
  const running = runningPid(folder);
  const takenOver = running !== null && (await answers(adminUrl));
  const isShared = takenOver && (await hasOtherClients(adminUrl));
  let pid = running ?? 0;
  const bringUp = () => {
    const programs = programsFolder(account);
    makePrivate(sockets, account);
    if (!existsSync(path.join(folder, "PG_VERSION"))) {
      log("Creating the database's folder");
      initialise(programs, folder, account, durable);
    }
    return launch({ programs, folder, sockets, account, durable, adminUrl });
  };
  if (!takenOver) pid = await bringUp();
  await createDatabase(adminUrl, database);

  let isStopping = false;
  let looking: NodeJS.Timeout | undefined;
  let reviving: Promise<void> | null = null;
  async function revive(intervalsMs: readonly number[], onGivenUp: (reason: string) => void): Promise<void> {
    log("The embedded database has stopped; starting it again");
    let reason = "";
    for (const interval of intervalsMs) {
      await delay(interval);
      if (isStopping) return;
      try {
        pid = await bringUp();
        log("The embedded database is running again");
        return;
      } catch (error) {
        reason = `${fullDisk(folder)}${(error as Error).message}`;
        log(`The embedded database did not start: ${reason}`);
      }
    }
    clearInterval(looking);
    onGivenUp(`The embedded database has stopped and can't be started again. ${reason}`);
  }
  return {
    url: socketUrl(sockets, database),
    folder,
    takenOver,
    isShared,
    get pid() {
      return pid;
    },
    watch({ onGivenUp, intervalsMs = REVIVAL_INTERVALS_MS }) {
      clearInterval(looking);
      looking = setInterval(() => {
        if (reviving !== null || isAlive(pid)) return;
        // Another process that shares it may have been first: then there is nothing to do but to know.
        reviving = revive(intervalsMs, onGivenUp).finally(() => (reviving = null));
      }, LOOK_EVERY_MS);
      looking.unref();
    },
    async stop({ evenIfUsed = false } = {}) {
      isStopping = true;
      clearInterval(looking);
      await reviving;
      await stopServer(folder, sockets, evenIfUsed);
    },
  };
}

/** A full disk keeps PostgreSQL from writing even why it does not start. */
function fullDisk(folder: string): string {
  const { bavail, bsize } = statfsSync(path.dirname(folder));
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  return free < 64 ? `The disk of ${folder} has ${free} MB left: make room there. ` : "";
}

function socketUrl(sockets: string, database: string): string {
  return `postgresql://farthing@localhost/${database}?host=${encodeURIComponent(sockets)}`;
}

/** The pid in postmaster.pid if such a process lives; the file may be a dead server's. */
function runningPid(folder: string): number | null {
  const file = path.join(folder, "postmaster.pid");
  if (!existsSync(file)) return null;
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  return Number.isInteger(pid) && pid > 0 && isAlive(pid) ? pid : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Dead, but nobody has asked how it ended: the server of a killed process, where no init does that (containers). */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false; // no such system, or gone this moment
  }
}

/** A client that survives the end of its connection: whoever asks hears of it, and nobody else. */
function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on("error", () => {});
  return client;
}

async function answers(url: string): Promise<boolean> {
  const client = newClient(url);
  try {
    await client.connect();
    return true;
  } catch {
    return false; // not up (yet): the caller decides what that means
  } finally {
    await client.end().catch(() => undefined);
  }
}

function makePrivate(folder: string, account: ServerAccount | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const uid = account?.uid ?? process.getuid?.();
  if (account && statSync(folder).uid === 0) chownSync(folder, account.uid, account.gid);
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0) {
    throw new Error(
      `${folder} belongs to somebody else or is open to others. Remove it, or set TMPDIR to a folder of your own.`,
    );
  }
}

/** Made beside its place and moved there whole: a start that is killed half-way leaves nothing that looks like a database. */
function initialise(programs: string, folder: string, account: ServerAccount | null, durable: boolean): void {
  const partial = `${folder}.new`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  if (account) {
    chownSync(partial, account.uid, account.gid);
  }
  const { status, stderr, error } = spawnSync(
    path.join(programs, "initdb"),
    [
      "--pgdata",
      partial,
      "--username=farthing",
      "--auth=trust",
      "--encoding=UTF8",
      "--locale-provider=builtin",
      "--builtin-locale=C.UTF-8",
      "--locale=C",
    ].concat(durable ? ["--data-checksums"] : ["--no-sync"]),
    { ...account, cwd: "/", encoding: "utf8" },
  );
  if (error ?? status !== 0) {
    rmSync(partial, { recursive: true, force: true });
    throw new Error(`The embedded PostgreSQL could not create its folder ${folder}: ${error?.message ?? stderr}`);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(partial, folder);
}

interface LaunchOptions {
  programs: string;
  folder: string;
  sockets: string;
  account: ServerAccount | null;
  durable: boolean;
  adminUrl: string;
}

async function launch({ programs, folder, sockets, account, durable, adminUrl }: LaunchOptions): Promise<number> {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: sockets,
    unix_socket_permissions: "0700",
    max_connections: "200",
    shared_buffers: "256MB",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  const logFile = `${folder}.log`;
  const output = openSync(logFile, "a", 0o600);
  const child = spawn(
    path.join(programs, "postgres"),
    ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // A group of its own: Ctrl-C in the terminal reaches the application first, which then stops the server in order.
    { ...account, cwd: "/", stdio: ["ignore", output, output], detached: true },
  );
  closeSync(output);
  child.unref();
  let ended: string | null = null;
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended = `it ended with ${code ?? signal}`));
  const deadline = performance.now() + 120_000; // recovery after a crash may take a while
  while (performance.now() < deadline) {
    if (await answers(adminUrl)) return runningPid(folder) ?? child.pid ?? 0;
    // Two processes that share a server start it both when it dies: the one that came second waits for the first one's.
    if (ended !== null && runningPid(folder) === null) break;
    await delay(30);
  }
  const tail = readFileSync(logFile, "utf8").split("\n").slice(-8).join("\n");
  throw new Error(
    `The embedded PostgreSQL did not come up (${ended ?? "no answer in two minutes"}). The end of ${logFile}:\n${tail}`,
  );
}

async function createDatabase(adminUrl: string, database: string): Promise<void> {
  const client = newClient(adminUrl);
  await client.connect();
  try {
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [database]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(database)}`);
  } finally {
    await client.end();
  }
}

async function stopServer(folder: string, sockets: string, evenIfUsed: boolean): Promise<void> {
  const pid = runningPid(folder);
  if (pid === null || (!evenIfUsed && (await hasOtherClients(socketUrl(sockets, "postgres"))))) return;
  process.kill(pid, "SIGINT"); // PostgreSQL's fast shutdown: open transactions roll back, everything is flushed
  const deadline = performance.now() + 30_000;
  while (isAlive(pid) && performance.now() < deadline) await delay(20);
  rmSync(sockets, { recursive: true, force: true });
}

/** Another process of Farthing may have taken the server over for itself; then it is not ours to stop. */
async function hasOtherClients(adminUrl: string): Promise<boolean> {
  const client = newClient(adminUrl);
  try {
    await client.connect();
    const { rows } = await client.query<{ others: string }>(
      "select count(*) as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return Number(rows[0]?.others) > 0;
  } catch {
    return false; // it no longer answers: nobody is served by it
  } finally {
    await client.end().catch(() => undefined);
  }
}
