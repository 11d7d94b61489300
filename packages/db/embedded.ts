import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { archiveFolders, archiveSettings, readSystemId, setUpArchive } from "./backups/archive.ts";
import {
  programsFolder,
  reachableDataFolder,
  serverAccount,
  socketFolder,
  type ServerAccount,
} from "./embedded-location.ts";

export interface EmbeddedServer {
  /** The connection string of the application's database, over a private Unix socket. */
  url: string;
  /** The folder of the data. Differs from the requested one where the server's account cannot reach that. */
  folder: string;
  /** True where the server was already running: left by a killed process, or in use by another process. */
  isTakenOver: boolean;
  /** True where the server was already running and had other clients. */
  isShared: boolean;
  /** The id of the server's process; changes when the server is restarted. */
  readonly pid: number;
  /**
   * Restarts the server whenever it dies: at once, then at growing intervals for a minute. Logs each start and
   * failure. Calls `onGivenUp` once after the last failure, with the reason.
   */
  watch(watching: { onGivenUp(reason: string): void; intervalsMs?: readonly number[] }): void;
  /** Stops watching, and stops the server unless it has other clients; `evenIfUsed` stops it in any case. */
  stop(options?: { evenIfUsed?: boolean }): Promise<void>;
}

/** A server runs in a data folder, and can't be reached from this process. The message says what to do, and holds no line of its log. */
export class UnreachableServerError extends Error {
  readonly says: string;
  readonly remedy: string;
  constructor(folder: string, { pid, sockets, reason }: { pid: number; sockets: string; reason: string }) {
    const says = `The embedded database in ${folder} runs as process ${pid}, but its socket in ${sockets} can’t be reached from here (${reason}).`;
    const remedy =
      "Run this as the account that started it, and where that folder can be seen: a service may have a temporary folder of its own. If the folder was deleted, stop every process of Farthing and that process, and start them again.";
    super(`${says} ${remedy}`);
    this.says = says;
    this.remedy = remedy;
  }
}

/**
 * Waits before each attempt to restart: one minute in all, because the cause may be temporary, such as a full disk.
 */
const RESTART_INTERVALS_MS = [0, 1_000, 2_000, 4_000, 8_000, 15_000, 30_000];
/** How often the watcher checks that the server is alive. */
const POLL_INTERVAL_MS = 500;

export interface EmbeddedOptions {
  /** The folder of the data; created when missing. */
  folder: string;
  database?: string;
  /** False only for the servers of tests: nothing is flushed to disk. */
  durable?: boolean;
  /** PostgreSQL's settings besides ours, for servers that are measured or restored. */
  settings?: Readonly<Record<string, string>>;
  /** How long the start waits until the server answers: two minutes, as the recovery after a crash may take a while. */
  startTimeoutMs?: number;
  /** Where the write-ahead log is archived (BACKUP_DIR); null: nowhere. */
  backupDir?: string | null;
  log?: (line: string) => void;
}

/**
 * Starts the embedded PostgreSQL, or takes over a running one in the same folder (P2). The server listens on a Unix
 * socket that only its own account and root can reach, so there is no port to conflict and no password to store.
 * @throws UnreachableServerError where one runs that can't be reached.
 * @throws Error with what the server has logged since, where it does not start.
 */
export async function startEmbedded({
  folder: wanted,
  database = "farthing",
  durable = true,
  settings = {},
  startTimeoutMs = 120_000,
  backupDir = null,
  log = () => {},
}: EmbeddedOptions): Promise<EmbeddedServer> {
  const account = serverAccount();
  const folder = reachableDataFolder(wanted, account);
  if (folder !== path.resolve(wanted)) {
    log(
      `The database is kept in ${folder}: PostgreSQL does not run as root, and its account cannot reach ${path.resolve(wanted)}. Set DATA_DIR to choose another folder.`,
    );
  }
  const running = await lookForServer(folder);
  const isTakenOver = running?.answers === true;
  // One that was started with another TMPDIR has its socket there.
  let sockets = running?.sockets ?? socketFolder(folder);
  const isShared = isTakenOver && (await hasOtherClients(socketUrl(sockets, "postgres")));
  let pid = running?.pid ?? 0;
  const startServer = () => {
    const programs = programsFolder(account);
    makePrivate(sockets, account);
    if (!existsSync(path.join(folder, "PG_VERSION"))) {
      log("Creating the database folder");
      initialise(programs, folder, account, durable);
    }
    const all = { ...settings, ...(backupDir === null ? {} : archiveTo(backupDir)) };
    return launch({ programs, folder, sockets, account, durable, settings: all, startTimeoutMs });
  };
  /** A club goes on without its backup disk: the log is kept, and archived when the disk is back. */
  const archiveTo = (backups: string) => {
    const systemId = readSystemId(folder);
    try {
      setUpArchive(backups, folder, account);
    } catch (error) {
      log(
        `BACKUP_DIR can't be used: ${(error as Error).message} The log is kept until it can be archived, and the disk fills meanwhile.`,
      );
    }
    return archiveSettings(archiveFolders(backups, systemId).wal);
  };
  if (!isTakenOver) ({ pid, sockets } = await startServer());
  const adminUrl = socketUrl(sockets, "postgres");
  if (isTakenOver && backupDir !== null && !(await isArchiving(adminUrl)))
    log(
      "The running database does not archive to BACKUP_DIR: it does once every process that uses it has been stopped.",
    );
  await createDatabase(adminUrl, database);

  let isStopping = false;
  let polling: NodeJS.Timeout | undefined;
  let restarting: Promise<void> | null = null;
  async function restart(intervalsMs: readonly number[], onGivenUp: (reason: string) => void): Promise<void> {
    log("The embedded database has stopped; starting it again");
    let reason = "";
    for (const interval of intervalsMs) {
      await delay(interval);
      if (isStopping) return;
      try {
        const started = await startServer();
        if (started.sockets !== sockets)
          throw new Error(`Another process has started it, with its socket in ${started.sockets}.`);
        pid = started.pid;
        log("The embedded database is running again");
        return;
      } catch (error) {
        reason = `${fullDisk(folder)}${(error as Error).message}`;
        log(`The embedded database did not start: ${reason}`);
      }
    }
    clearInterval(polling);
    onGivenUp(`The embedded database has stopped and can't be started again. ${reason}`);
  }
  return {
    url: socketUrl(sockets, database),
    folder,
    isTakenOver,
    isShared,
    get pid() {
      return pid;
    },
    watch({ onGivenUp, intervalsMs = RESTART_INTERVALS_MS }) {
      clearInterval(polling);
      polling = setInterval(() => {
        if (restarting !== null || isAlive(pid)) return;
        // If another process that shares the server restarts it first, startServer finds it running.
        restarting = restart(intervalsMs, onGivenUp).finally(() => (restarting = null));
      }, POLL_INTERVAL_MS);
      polling.unref();
    },
    async stop({ evenIfUsed = false } = {}) {
      isStopping = true;
      clearInterval(polling);
      await restarting;
      await stopServer(folder, sockets, evenIfUsed);
    },
  };
}

/**
 * Returns a sentence about a nearly full disk, or an empty string. PostgreSQL cannot log that cause on a full disk.
 */
function fullDisk(folder: string): string {
  const { bavail, bsize } = statfsSync(path.dirname(folder));
  const free = Math.floor((bavail * bsize) / 1024 ** 2);
  return free < 64 ? `The disk of ${folder} has ${free} MB left: free some space. ` : "";
}

/**
 * Returns the running server of a data folder, for a command that only looks: it starts nothing and creates nothing. Null where
 * none runs there or it does not answer yet.
 * @throws UnreachableServerError where one runs that can't be reached.
 */
export async function findRunningServer({
  folder: wanted,
  database = "farthing",
}: Pick<EmbeddedOptions, "folder" | "database">): Promise<{ url: string; folder: string } | null> {
  if (!existsSync(path.dirname(path.resolve(wanted)))) return null;
  const folder = reachableDataFolder(wanted, serverAccount());
  const running = await lookForServer(folder);
  return running?.answers === true && running.sockets !== null
    ? { url: socketUrl(running.sockets, database), folder }
    : null;
}

function socketUrl(sockets: string, database: string): string {
  return `postgresql://farthing@localhost/${database}?host=${encodeURIComponent(sockets)}`;
}

interface RunningServer {
  pid: number;
  /** The folder of its socket; null: it has not opened one yet. */
  sockets: string | null;
}

/** Returns the server of postmaster.pid if it is alive; a dead one may have left the file. */
function runningServer(folder: string): RunningServer | null {
  const file = path.join(folder, "postmaster.pid");
  if (!existsSync(file)) return null;
  // The lines are listed in PostgreSQL's utils/pidfile.h.
  const lines = readFileSync(file, "utf8").split("\n");
  const pid = Number.parseInt(lines[0] ?? "", 10);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid) || !isServerOf(folder, pid)) return null;
  return { pid, sockets: lines[4]?.trim() || null };
}

/** Whether a process is the server of a folder, as far as can be seen: since the machine was restarted another may have its number. */
function isServerOf(folder: string, pid: number): boolean {
  try {
    if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() !== "postgres") return false;
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return true; // no /proc on this system, or a process of another account
  }
}

/** Errors of a connection to a socket that is not where it was opened, or that this account may not use. */
const UNREACHABLE = ["ENOENT", "EACCES", "ECONNREFUSED"];
/** A server that stops removes its socket a moment before it ends. */
const ENDING_MS = 2_000;

/**
 * Returns the running server of a folder and whether it answers: one that starts, recovers or stops does not.
 * @throws UnreachableServerError where its socket can't be reached.
 */
async function lookForServer(folder: string): Promise<(RunningServer & { answers: boolean }) | null> {
  const deadline = performance.now() + ENDING_MS;
  for (;;) {
    const running = runningServer(folder);
    if (running === null || running.sockets === null) return running && { ...running, answers: false };
    const { pid, sockets } = running;
    const fault = await connectionFault(socketUrl(sockets, "postgres"));
    const reason = (fault as NodeJS.ErrnoException | null)?.code ?? "";
    if (!UNREACHABLE.includes(reason)) return { pid, sockets, answers: fault === null };
    if (performance.now() > deadline) throw new UnreachableServerError(folder, { pid, sockets, reason });
    await delay(50);
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !isZombie(pid);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Whether the process has ended but was not reaped: the server of a killed process, in containers without an init. */
function isZombie(pid: number): boolean {
  try {
    return /^\d+ \(.*\) Z /s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false; // no /proc on this system, or the process has just been reaped
  }
}

/** Returns a client whose lost connection rejects the query in progress and does not end the process. */
function newClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on("error", () => {});
  return client;
}

async function answers(url: string): Promise<boolean> {
  return (await connectionFault(url)) === null; // else it does not run, or not yet
}

/** Returns why a server can't be connected to, or null. */
async function connectionFault(url: string): Promise<Error | null> {
  const client = newClient(url);
  try {
    await client.connect();
    return null;
  } catch (error) {
    return error as Error;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function isArchiving(adminUrl: string): Promise<boolean> {
  const client = newClient(adminUrl);
  try {
    await client.connect();
    const { rows } = await client.query<{ mode: string }>("select current_setting('archive_mode') as mode");
    return rows[0]?.mode === "on";
  } finally {
    await client.end();
  }
}

function makePrivate(folder: string, account: ServerAccount | null): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const uid = account?.uid ?? process.getuid?.();
  if (account && statSync(folder).uid === 0) chownSync(folder, account.uid, account.gid);
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || stat.uid !== uid || (stat.mode & 0o077) !== 0) {
    throw new Error(
      `${folder} belongs to another account or is open to others. Remove it, or set TMPDIR to a folder of your own.`,
    );
  }
}

/**
 * Creates the data beside `folder` and renames it, so that a killed start leaves nothing that looks like a database.
 */
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
  settings: Readonly<Record<string, string>>;
  startTimeoutMs: number;
}

/** A larger log is moved aside at the start; one former file is kept. */
const MAX_LOG_BYTES = 5 * 1024 ** 2;

/** Returns the server's process, and the folder of its socket: another process may have started it first, elsewhere. */
async function launch({
  programs,
  folder,
  sockets,
  account,
  durable,
  settings: others,
  startTimeoutMs,
}: LaunchOptions): Promise<{ pid: number; sockets: string }> {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: sockets,
    unix_socket_permissions: "0700",
    max_connections: "200",
    shared_buffers: "256MB",
    // For a solid-state disk. With the default, which is for a hard disk, PostgreSQL reads a whole index rather than the few pages that an index by blocks names.
    random_page_cost: "1.1",
    // Details of an error and the statement hold what members typed, such as their addresses.
    log_error_verbosity: "terse",
    log_min_error_statement: "panic",
    ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
    ...others,
  };
  const logFile = `${folder}.log`;
  const logged = statSync(logFile, { throwIfNoEntry: false })?.size ?? 0;
  if (logged > MAX_LOG_BYTES) renameSync(logFile, `${logFile}.1`);
  const output = openSync(logFile, "a", 0o600);
  const child = spawn(
    path.join(programs, "postgres"),
    ["-D", folder, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // A process group of its own, so that Ctrl-C reaches the application alone, which then stops the server in order.
    { ...account, cwd: "/", stdio: ["ignore", output, output], detached: true },
  );
  closeSync(output);
  child.unref();
  let ended: string | null = null;
  child.once("error", (error) => (ended = error.message));
  child.once("exit", (code, signal) => (ended = `it ended with ${code ?? signal}`));
  const deadline = performance.now() + startTimeoutMs;
  while (performance.now() < deadline) {
    if (ended === null) {
      if (await answers(socketUrl(sockets, "postgres")))
        return { pid: runningServer(folder)?.pid ?? child.pid ?? 0, sockets };
    } else {
      // Two processes that share a server both restart it when it dies: the second waits for the first one's server.
      const others = await lookForServer(folder);
      if (others === null) break;
      if (others.answers && others.sockets !== null) return { pid: others.pid, sockets: others.sockets };
    }
    await delay(30);
  }
  // Nobody else would stop it: the next start would find it running.
  if (ended === null) child.kill("SIGINT");
  const since = readFileSync(logFile).subarray(logged > MAX_LOG_BYTES ? 0 : logged);
  const tail = since.toString("utf8").split("\n").slice(-8).join("\n");
  throw new Error(
    `The embedded PostgreSQL did not start (${ended ?? `no answer in ${startTimeoutMs / 1000} seconds`}). The end of ${logFile}:\n${tail}`,
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
  const pid = runningServer(folder)?.pid ?? null;
  if (pid === null || (!evenIfUsed && (await hasOtherClients(socketUrl(sockets, "postgres"))))) return;
  process.kill(pid, "SIGINT"); // PostgreSQL's fast shutdown: open transactions roll back, everything is flushed
  const deadline = performance.now() + 30_000;
  while (isAlive(pid) && performance.now() < deadline) await delay(20);
  rmSync(sockets, { recursive: true, force: true });
}

/** Whether other clients are connected: another process of Farthing may use the server, and then it is not stopped. */
async function hasOtherClients(adminUrl: string): Promise<boolean> {
  const client = newClient(adminUrl);
  try {
    await client.connect();
    const { rows } = await client.query<{ others: string }>(
      "select count(*) as others from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return Number(rows[0]?.others) > 0;
  } catch {
    return false; // it no longer answers, so it serves nobody
  } finally {
    await client.end().catch(() => undefined);
  }
}
