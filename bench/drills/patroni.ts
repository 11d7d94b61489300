import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isOpen } from "./haproxy.ts";
import { programOf } from "./programs.ts";
import {
  endAtExit,
  privateFolder,
  signalIfThere,
  startProgram,
  unprivileged,
  type ProgramProcess,
} from "./program-process.ts";

/** One PostgreSQL that Patroni keeps. */
export interface Member {
  name: string;
  port: number;
  /** Where Patroni says what this member is: 200 at /primary and at /sync. */
  checkPort: number;
  /** Kills Patroni and every process of the server at once, as a machine that loses its power. */
  kill(): Promise<void>;
}

/** Two PostgreSQL with synchronous replication, their Patroni, and its etcd. */
export interface Cluster {
  members: readonly Member[];
  /** Returns the member that is the primary, or null where there is none. */
  primary(): Promise<Member | null>;
  stop(): Promise<void>;
}

/** Patroni's shortest: how long the primary may be silent before another takes its place. */
const TTL_SECONDS = 20;

/** Starts a cluster on six ports from `port` on, and resolves when the standby is synchronous. */
export async function startCluster(folder: string, port: number): Promise<Cluster> {
  const ends: (() => Promise<void>)[] = [];
  const members: Member[] = [];
  const stop = async () => {
    for (const end of ends.toReversed()) await end();
  };
  try {
    const etcd = await startEtcd(folder, port);
    ends.push(() => etcd.stop());
    for (const [index, name] of ["one", "two"].entries()) {
      const own = { name, port: port + 2 + index * 2, checkPort: port + 3 + index * 2 };
      const home = privateFolder(join(folder, name));
      const patroni = await startMember(home, port, own);
      const kill = async () => {
        await patroni.kill();
        killServer(home);
      };
      const ended = endAtExit(() => killServer(home));
      ends.push(async () => {
        await patroni.stop();
        killServer(home);
        ended();
      });
      members.push({ ...own, kill });
    }
    while (!(await hasSynchronous(members))) await delay(200);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    members,
    async primary() {
      for (const member of members) if (await answersOk(member.checkPort, "/primary")) return member;
      return null;
    },
    stop,
  };
}

async function hasSynchronous(members: readonly Member[]): Promise<boolean> {
  const answers = await Promise.all(members.map(({ checkPort }) => answersOk(checkPort, "/sync")));
  return answers.includes(true);
}

function startEtcd(folder: string, port: number): Promise<ProgramProcess> {
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${port + 1}`];
  const home = privateFolder(join(folder, "etcd"));
  return startProgram(
    programOf("etcd"),
    [
      ...["--name", "drill", "--data-dir", home, "--listen-client-urls", client, "--advertise-client-urls", client],
      ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", `drill=${peer}`],
    ],
    { ...unprivileged, isUp: () => answersOk(port, "/health") },
  );
}

async function startMember(
  home: string,
  etcdPort: number,
  { name, port, checkPort }: Omit<Member, "kill">,
): Promise<ProgramProcess> {
  const file = `${home}.yml`;
  // JSON is YAML.
  writeFileSync(
    file,
    JSON.stringify({
      ...{ scope: "drill", name },
      restapi: { listen: `127.0.0.1:${checkPort}`, connect_address: `127.0.0.1:${checkPort}` },
      etcd3: { host: `127.0.0.1:${etcdPort}` },
      bootstrap: {
        dcs: {
          ...{ ttl: TTL_SECONDS, loop_wait: 2, retry_timeout: 8, maximum_lag_on_failover: 0, synchronous_mode: true },
          postgresql: { use_pg_rewind: false, parameters: { max_connections: 120, shared_buffers: "128MB" } },
        },
        initdb: [{ encoding: "UTF8" }, { locale: "C.UTF-8" }, "data-checksums"],
        pg_hba: ["local all all trust", "host all all 127.0.0.1/32 trust", "host replication all 127.0.0.1/32 trust"],
      },
      postgresql: {
        ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, data_dir: join(home, "data") },
        ...{ bin_dir: dirname(programOf("postgres")), pgpass: join(home, "pgpass") },
        authentication: { superuser: { username: "farthing" }, replication: { username: "farthing" } },
        parameters: { unix_socket_directories: home },
      },
    }),
    { mode: 0o644 },
  );
  return startProgram(programOf("patroni"), [file], {
    ...unprivileged,
    env: { ...process.env, HOME: home },
    isUp: async () => (await isOpen(port)) && (await answersOk(checkPort, "/health")),
  });
}

/** Kills a server and its backends with SIGKILL, if it runs. */
function killServer(home: string): void {
  const file = join(home, "data", "postmaster.pid");
  if (!existsSync(file)) return;
  const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
  const children = `/proc/${pid}/task/${pid}/children`;
  const backends = existsSync(children) ? readFileSync(children, "utf8").trim().split(" ").map(Number) : [];
  for (const ended of [pid, ...backends].filter((id) => id > 0)) signalIfThere(ended, "SIGKILL");
}

function answersOk(port: number, path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = get({ port, path, host: "127.0.0.1", agent: false, timeout: 2_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.on("timeout", () => asked.destroy());
    asked.on("error", () => resolve(false));
  });
}
