import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { serverAccount } from "../embedded-location.ts";

export interface InstalledPrograms {
  /** Runs one of PostgreSQL's programs and returns its output. @throws Error where its exit code is not 0 */
  run(program: "pg_dump" | "pg_restore" | "createdb" | "psql", args: string[]): string;
  /** Starts a new cluster in a temporary folder, with a database `club`. */
  start(options?: StartOptions): Promise<InstalledServer>;
  stop(): Promise<void>;
}

interface StartOptions {
  /** Settings of PostgreSQL besides ours. */
  settings?: Readonly<Record<string, string>>;
  /** Variables of the server's process, which its commands see. */
  env?: NodeJS.ProcessEnv;
}

export interface InstalledServer {
  url: string;
  sockets: string;
  /** The data folder. */
  data: string;
  /** Kills the server, which flushes nothing, and waits until it is gone. */
  kill(): Promise<void>;
  /** Starts it again, with what is in the data folder by then. */
  startAgain(): Promise<void>;
}

/**
 * Returns the PostgreSQL that this machine's packages have installed (in Debian's folders), or null. It has the
 * programs that the embedded one lacks, for tests of what operators do with them.
 */
export function installedPostgres(): InstalledPrograms | null {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).filter((name) => Number(name) >= 15) : [];
  const bin = versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => path.join(root, version, "bin"))
    .find((folder) =>
      ["initdb", "postgres", "pg_dump", "pg_restore"].every((name) => existsSync(path.join(folder, name))),
    );
  if (bin === undefined) return null;
  const account = serverAccount();
  const folders: string[] = [];
  const servers: ReturnType<typeof spawn>[] = [];
  return {
    run: (program, args) =>
      execFileSync(path.join(bin, program), args, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }),
    async start({ settings: others = {}, env = {} } = {}) {
      const folder = mkdtempSync(path.join(tmpdir(), "farthing-installed-"));
      folders.push(folder);
      chmodSync(folder, 0o755);
      const [data, sockets] = [path.join(folder, "data"), path.join(folder, "s")];
      for (const made of [data, sockets]) {
        mkdirSync(made, { mode: 0o700 });
        if (account) chownSync(made, account.uid, account.gid);
      }
      const options = ["--username=farthing", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"];
      execFileSync(path.join(bin, "initdb"), ["-D", data, ...options], { ...account, cwd: "/", stdio: "ignore" });
      const settings = { listen_addresses: "", fsync: "off", shared_buffers: "32MB", ...others };
      const words = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
      const launch = () => {
        const options = { ...account, cwd: "/", stdio: "ignore" as const, env: { ...process.env, ...env } };
        const server = spawn(path.join(bin, "postgres"), ["-D", data, "-k", sockets, ...words], options);
        servers.push(server);
        return server;
      };
      let server = launch();
      const address = (database: string) =>
        `postgresql://farthing@localhost/${database}?host=${encodeURIComponent(sockets)}`;
      const client = await connected(address("postgres"));
      await client.query("create database club");
      await client.end();
      return {
        ...{ url: address("club"), sockets, data },
        kill: () => killed(server),
        async startAgain() {
          server = launch();
          await (await connected(address("club"))).end();
        },
      };
    },
    async stop() {
      for (const server of servers) await killed(server);
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Its data is deleted, so nothing has to be flushed. */
async function killed(server: ReturnType<typeof spawn>): Promise<void> {
  server.kill("SIGQUIT");
  if (server.exitCode === null && server.signalCode === null)
    await new Promise((resolve) => server.once("exit", resolve));
}

/** Returns a connected client; waits until the server accepts connections. */
async function connected(url: string): Promise<pg.Client> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      return client;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await client.end().catch(() => undefined);
      await delay(30);
    }
  }
}
