import { mkdtemp, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { loadSite, builtSite } from "@farthing/site/testing/site.testing.ts";
import { builtAdmin, loadAdmin } from "@farthing/admin/testing/admin.testing.ts";
import { sql } from "kysely";
import { afterAll, beforeAll } from "vitest";
import { readConfig } from "../env.ts";
import { openLoggerTo } from "../monitoring/logger.ts";
import { closeAll, type Closing } from "../process/shutdown.ts";
import { startServer, type StartedServer } from "../start-server.ts";
import { TrustedNetworks } from "../http/trusted-networks.ts";

/** The secret of the server below, from which tests derive keys as the server, or a thief of its secret, can. */
export const SERVER_SECRET = "the secret of a server that attackers look at, long enough";

/** An answer as it was on the wire. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  cookies: string[];
  text: string;
  /** Status, headers and body in one text, to search for what must not occur. */
  whole: string;
}

export interface Asking {
  host: string;
  cookie?: string | undefined;
  /** The client's address; attempts are counted by it. */
  from?: string | undefined;
  headers?: Record<string, string | undefined>;
}

export interface Posting extends Asking {
  form?: Record<string, string>;
}

export interface RealServer {
  db: Awaited<ReturnType<typeof testDatabase>>["db"];
  /** The started server; set when the tests run. */
  started(): StartedServer;
  get(path: string, asking: Asking): Promise<Answer>;
  /** Posts as a page of the same host does. */
  post(path: string, posting: Posting): Promise<Answer>;
  /** Sends the request as it is, without a page's headers. */
  raw(method: string, path: string, asking: Asking & { body?: Buffer | string }): Promise<Answer>;
  origin(host: string): string;
  /** Returns one line per table; if two results are equal, nothing was written between them. */
  everything(): Promise<Record<string, string>>;
}

let machines = 0;
/** Returns a client address that is not used yet. */
export function newAddress(): string {
  machines += 1;
  return `10.9.${machines >> 8}.${machines & 255}`;
}

/**
 * Starts the server as main.ts does, on a port and a database of its own, with the built pages and without demo data.
 * `onErrorLine` receives the errors that it logs, `onLogLine` everything that it logs.
 */
export async function realServer({
  onLogLine,
  onErrorLine,
  settings = {},
  hasAdmin = false,
}: {
  onErrorLine?(line: string): void;
  onLogLine?(line: string): void;
  /** Environment variables besides those of every test. */
  settings?: Record<string, string>;
  /** Whether it has the operators' admin. */
  hasAdmin?: boolean;
} = {}): Promise<RealServer> {
  const { db, url } = await testDatabase();
  loadSite();
  if (hasAdmin) loadAdmin();
  const closing: Closing[] = [];
  const level = onLogLine ? "trace" : onErrorLine ? "error" : "silent";
  const write = (line: string) => (onLogLine ?? onErrorLine)?.(line);
  const { logger, logRequest } = openLoggerTo({ write }, level);
  let started: StartedServer | undefined;
  let port = 0;
  let dataDir = "";
  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "farthing-attacks-"));
    const own = { DATABASE_URL: url, FARTHING_SECRET: SERVER_SECRET, ROLES: "web,collector", DATA_DIR: dataDir };
    const config = readConfig({ ...settings, ...own });
    started = await startServer({
      // No demo data. The test acts as the proxy, which states the client's address.
      config: {
        ...config,
        environment: "staging",
        port: 0,
        host: "127.0.0.1",
        trustProxy: new TrustedNetworks("loopback"),
      },
      logger,
      logRequest,
      tell: () => {},
      closing,
      loadSite: async () => builtSite,
      loadAdmin: hasAdmin ? async () => builtAdmin : null,
    });
    ({ port } = started.server.address() as AddressInfo);
  });
  afterAll(async () => {
    started?.server.closeAllConnections();
    started?.server.close();
    await closeAll(closing, logger);
    await rm(dataDir, { recursive: true, force: true });
  });

  function ask(
    method: string,
    path: string,
    { host, cookie, from, headers = {} }: Asking,
    body: Buffer | string = "",
  ): Promise<Answer> {
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const sent = Object.entries({
      host: `${host}:${port}`,
      "x-forwarded-for": from ?? "192.0.2.1",
      cookie,
      ...(method === "POST" ? { "content-length": String(Buffer.byteLength(body)) } : {}),
      ...headers,
    }).filter((pair): pair is [string, string] => pair[1] !== undefined);
    const request = httpRequest(
      { host: "127.0.0.1", port, method, path, headers: Object.fromEntries(sent), agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const { statusCode: status = 0, headers: received, rawHeaders } = response;
          const text = Buffer.concat(parts).toString();
          const whole = `${status}\n${rawHeaders.join("\n")}\n${text}`;
          resolve({ status, headers: received, cookies: received["set-cookie"] ?? [], text, whole });
        });
      },
    );
    request.on("error", reject);
    request.end(body);
    return promise;
  }

  const origin = (host: string) => `http://${host}:${port}`;
  return {
    db,
    origin,
    started() {
      if (!started) throw new Error("The server starts before the first test, not earlier.");
      return started;
    },
    get: (path, asking) => ask("GET", path, asking),
    raw: (method, path, { body, ...asking }) => ask(method, path, asking, body),
    post: (path, { form = {}, ...asking }) => {
      const own = { origin: origin(asking.host), "content-type": "application/x-www-form-urlencoded" };
      return ask(
        "POST",
        path,
        { ...asking, headers: { ...own, ...asking.headers } },
        String(new URLSearchParams(form)),
      );
    },
    async everything() {
      const tables = await sql<{ name: string }>`
        select table_name as name from information_schema.tables
         where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
      const sums = tables.rows.map(
        ({ name }) =>
          sql`select ${name}::text as name, md5(coalesce(string_agg(row_text, '|' order by row_text), '')) as sum
                from (select t::text as row_text from ${sql.table(name)} t) rows`,
      );
      const { rows } = await sql<{ name: string; sum: string }>`${sql.join(sums, sql` union all `)}`.execute(db);
      return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]));
    },
  };
}

/** Logs in as a browser does. Returns the Cookie header that it sends from then on. */
export async function cookieOf(
  server: RealServer,
  { host, email, password }: { host: string; email: string; password: string },
): Promise<string> {
  const answer = await server.post("/login", { host, form: { email, password }, from: newAddress() });
  if (answer.status !== 303) throw new Error(`The login of ${email} was answered ${answer.status}`);
  return answer.cookies.map((line) => line.split(";")[0]).join("; ");
}
