import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** Debian's package and ClickHouse's own. */
const PROGRAMS = ["/usr/sbin/clickhouse-server", "/usr/bin/clickhouse-server"];

export interface InstalledClickhouse {
  readonly url: string;
  start(): Promise<void>;
  /** Kills it with SIGKILL and waits until it is gone. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** Returns the ClickHouse server that this machine's packages have installed, with a folder and ports of its own; null if there is none. */
export async function installedClickhouse(): Promise<InstalledClickhouse | null> {
  const program = PROGRAMS.find((path) => existsSync(path));
  if (program === undefined) return null;
  const folder = mkdtempSync(join(tmpdir(), "farthing-clickhouse-"));
  const [http, tcp, interserver] = [await freePort(), await freePort(), await freePort()];
  for (const name of ["data", "tmp", "files", "schemas"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "users.xml"), USERS);
  writeFileSync(join(folder, "config.xml"), configuration(folder, { http, tcp, interserver }));
  let child: ChildProcess | null = null;
  const url = `http://127.0.0.1:${http}`;
  const end = async (signal: "SIGKILL" | "SIGTERM") => {
    const ending = child;
    child = null;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const gone = once(ending, "exit");
    ending.kill(signal);
    await gone;
  };
  return {
    url,
    async start() {
      const started = spawn(program, [`--config-file=${join(folder, "config.xml")}`], {
        cwd: folder,
        stdio: "ignore",
        env: withRealClock(process.env),
      });
      child = started;
      const ended = once(started, "exit").then(() => false);
      while (!(await answers(url)))
        if (!(await Promise.race([ended, delay(50).then(() => true)])))
          throw new Error("clickhouse-server ended at its start");
    },
    kill: () => end("SIGKILL"),
    async stop() {
      await end("SIGKILL"); // its data is deleted
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the environment without faketime (bin/clock-shifts.mjs): under it, ClickHouse never answers. No test reads ClickHouse's clock. */
function withRealClock({ LD_PRELOAD: _preload, ...env }: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return env;
}

async function answers(url: string): Promise<boolean> {
  const answer = await fetch(url).catch(() => null);
  return answer?.ok ?? false;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  server.close();
  await once(server, "close");
  return port;
}

const configuration = (
  folder: string,
  ports: { http: number; tcp: number; interserver: number },
) => `<?xml version="1.0"?>
<yandex>
  <logger><level>error</level><log>${folder}/server.log</log><errorlog>${folder}/error.log</errorlog></logger>
  <http_port>${ports.http}</http_port><tcp_port>${ports.tcp}</tcp_port><interserver_http_port>${ports.interserver}</interserver_http_port>
  <listen_host>127.0.0.1</listen_host><interserver_http_host>127.0.0.1</interserver_http_host>
  <path>${folder}/data/</path><tmp_path>${folder}/tmp/</tmp_path><user_files_path>${folder}/files/</user_files_path>
  <format_schema_path>${folder}/schemas/</format_schema_path>
  <users_config>${folder}/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
  <mark_cache_size>67108864</mark_cache_size><timezone>UTC</timezone>
</yandex>`;

const USERS = `<?xml version="1.0"?>
<yandex>
  <profiles><default><max_memory_usage>2000000000</max_memory_usage></default></profiles>
  <users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
  <quotas><default></default></quotas>
</yandex>`;
