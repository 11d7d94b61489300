import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isOpen } from "./haproxy.ts";
import { programOf } from "./programs.ts";
import { privateFolder, startProgram, unprivileged, type ProgramProcess } from "./program-process.ts";

/** Starts PgBouncer in transaction mode on `port` before the database at `url`. Returns the address through it. */
export async function startPooler(
  folder: string,
  { port, url, connections }: { port: number; url: string; connections: number },
): Promise<{ pooler: ProgramProcess; url: string }> {
  const { pathname, searchParams, hostname, port: own, username } = new URL(url);
  const database = pathname.slice(1);
  const home = privateFolder(join(folder, "pgbouncer"));
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
${database} = host=${searchParams.get("host") ?? hostname} port=${own || 5432} dbname=${database} user=${username}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${home}
pidfile = ${join(home, "pid")}
auth_type = any
pool_mode = transaction
default_pool_size = ${connections}
max_client_conn = 1000
`,
  );
  chmodSync(file, 0o644);
  const pooler = await startProgram(programOf("pgbouncer"), [file], { ...unprivileged, isUp: () => isOpen(port) });
  return { pooler, url: `postgresql://${username}@127.0.0.1:${port}/${database}` };
}
