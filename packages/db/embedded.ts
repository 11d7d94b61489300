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
  /** True where a server was found running, left behind by a process that was killed. */
  takenOver: boolean;
  pid: number;
  /** Stops the server, unless other clients are still connected to it and `evenIfUsed` is not set. */
  stop(options?: { evenIfUsed?: boolean }): Promise<void>;
}

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
  let pid = running ?? 0;
  if (!takenOver) {
    const programs = programsFolder(account);
    makePrivate(sockets, account);
    if (!existsSync(path.join(folder, "PG_VERSION"))) {
      log("Creating the database's folder");
      initialise(programs, folder, account, durable);
    }
    pid = await launch({ programs, folder, sockets, account, durable, adminUrl });
  }
  await createDatabase(adminUrl, database);
  return {
    url: socketUrl(sockets, database),
    folder,
    takenOver,
    pid,
    stop: ({ evenIfUsed = false } = {}) => stopServer(folder, sockets, evenIfUsed),
  };
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
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
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
  const deadline = Date.now() + 120_000; // recovery after a crash may take a while
  while (Date.now() < deadline) {
    if (await answers(adminUrl)) return child.pid ?? 0;
    if (ended !== null) break;
    await delay(30);
  }
  const tail = readFileSync(logFile, "utf8").split("\n").slice(-8).join("\n");
  throw new Error(
    `The embedded PostgreSQL did not come up (${ended ?? "no answer in two minutes"}). The end of ${logFile}:\n${tail}`,
  );
}

async function createDatabase(adminUrl: string, database: string): Promise<void> {
  const client = new pg.Client({ connectionString: adminUrl });
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
  const deadline = Date.now() + 30_000;
  while (isAlive(pid) && Date.now() < deadline) await delay(20);
  rmSync(sockets, { recursive: true, force: true });
}

/** Another process of Farthing may have taken the server over for itself; then it is not ours to stop. */
async function hasOtherClients(adminUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: adminUrl, connectionTimeoutMillis: 3_000 });
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
