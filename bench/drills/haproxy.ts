import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { programOf } from "./programs.ts";
import { startProgram, type ProgramProcess } from "./program-process.ts";

/** The lines of docs/operations/behind-a-proxy.md that matter for drills. */
const WEB = `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  # Without it a check that takes longer than its interval counts as failed.
  timeout check 5s
  retries 3
  option redispatch
  retry-on conn-failure empty-response response-timeout
`;

/**
 * Starts HAProxy on `port` before applications, which it checks by /readyz. `namesHost`: for versions before 26 November 2026, which
 * answered 400 to a check without a Host.
 */
export function startWebProxy(
  folder: string,
  { port, apps, namesHost = false }: { port: number; apps: readonly number[]; namesHost?: boolean },
): Promise<ProgramProcess> {
  return startProxy(
    folder,
    port,
    `${WEB}
frontend visitors
  bind 127.0.0.1:${port}
  option forwardfor
  default_backend farthing

backend farthing
  balance roundrobin
${namesHost ? "  option httpchk\n  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost" : "  option httpchk GET /readyz"}
  default-server check inter 200ms fall 1 rise 1
${apps.map((app) => `  server app${app} 127.0.0.1:${app}`).join("\n")}
`,
  );
}

/** Starts HAProxy on `port` before databases, of which it uses the one whose `checkPort` says that it is the primary. */
export function startDatabaseProxy(
  folder: string,
  { port, databases }: { port: number; databases: readonly { port: number; checkPort: number }[] },
): Promise<ProgramProcess> {
  return startProxy(
    folder,
    port,
    `
defaults
  mode tcp
  timeout connect 3s
  timeout client 1h
  timeout check 5s
  timeout server 1h

listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server check inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions
${databases.map((database) => `  server at${database.port} 127.0.0.1:${database.port} check port ${database.checkPort}`).join("\n")}
`,
  );
}

async function startProxy(folder: string, port: number, config: string): Promise<ProgramProcess> {
  const file = join(folder, `haproxy-${port}.cfg`);
  writeFileSync(file, `global\n  maxconn 1000\n  nbthread 1\n${config}`);
  return startProgram(programOf("haproxy"), ["-db", "-f", file], { isUp: () => isOpen(port) });
}

/** Returns which servers a proxy has taken out and why, as it said it last. */
export function takenOut({ lines }: ProgramProcess): string[] {
  return lines.flatMap((line) => {
    const [, server, reason] = /Server \S+\/(\S+) is DOWN, reason: ([^.]+)\./.exec(line) ?? [];
    return server && reason ? [`HAProxy took out ${server}: ${reason}.`] : [];
  });
}

/** Returns whether something listens on a port of this machine. */
export function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
