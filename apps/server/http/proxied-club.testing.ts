import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import { request, type RequestOptions } from "node:https";
import { connect, createServer as createSocketServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { afterAll, beforeAll, expect, test, type TestContext } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { requestLogger } from "../monitoring/logger.ts";
import { createListener } from "./listener.ts";
import { TrustedNetworks } from "./trusted-networks.ts";

// A club's listener behind a proxy that is installed on this machine. Only ports, certificates and folders of the proxy's file differ.

/** The proxy is at 127.0.0.1 and the visitor, who is not trusted, at 127.0.0.2. */
const visitorAddress = "127.0.0.2";
const METRICS_TOKEN = "a3f09c1be7";

export interface ProxyPlaces {
  app: number;
  https: number;
  http: number;
  /** A file with certificate and key, in a folder of its own. */
  certificate: string;
  /** For what the proxy keeps. */
  folder: string;
}

export interface Proxy {
  name: string;
  /** Returns the proxy's file with these places. */
  adapt(text: string, places: ProxyPlaces): string;
  args(file: string, places: ProxyPlaces): string[];
}

/** Returns the file for an nginx of its own that holds this text in its `http` block. */
export function nginxFile(text: string, { folder, https, http, certificate }: ProxyPlaces): string {
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`);
  return `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${folders.join(" ")}\n${text}}`
    .replace("listen 443 ssl", `listen 127.0.0.1:${https} ssl`)
    .replace("listen 80", `listen 127.0.0.1:${http}`)
    .replace("/etc/ssl/club.example.pem", certificate)
    .replace("/etc/ssl/club.example.key", certificate);
}

/** Serves two brands for as long as the test file runs; `around` sees each request first. Each page says who asked for what. */
export function servedClub(around = (listener: RequestListener): RequestListener => listener) {
  const brands = ["club", "evil"].map((slug) => ({ id: slug, slug, name: slug }) as Brand);
  const app = testApp(brands, async (_, visit) => htmlPage(`${visit.origin} asked by ${visit.clientAddress}`, visit), {
    config: {
      environment: "production",
      publicScheme: "https",
      trustProxy: new TrustedNetworks("127.0.0.1"),
      metricsToken: METRICS_TOKEN,
    },
    brands: async (host) => brands.find(({ slug }) => host === `${slug}.example`) ?? null,
  });
  const listener = createListener({
    app: app.app,
    cache: null,
    config: app.config,
    sessionCookieName: "farthing_session",
    metrics: app.metrics,
    logger: app.logger,
    logRequest: requestLogger(app.logger),
    readiness: app.readiness,
  });
  const server = createServer(around(listener));
  const folder = mkdtempSync(join(tmpdir(), "farthing-proxies-"));
  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  });
  afterAll(() => {
    server.close();
    server.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  });
  return { folder, port: () => (server.address() as AddressInfo).port };
}

/** Runs the proxy with this file in front of the club, for as long as the block of tests. */
export function runProxy(club: ReturnType<typeof servedClub>, { name, adapt, args }: Proxy, text: string) {
  const program = programOf(name);
  const openssl = programOf("openssl");
  let proxy: ChildProcess | undefined;
  let places: ProxyPlaces = { app: 0, https: 0, http: 0, certificate: "", folder: "" };

  beforeAll(async () => {
    if (!program || !openssl) return;
    const folder = join(club.folder, name);
    mkdirSync(folder);
    const certificate = join(folder, "certificates.pem");
    makeCertificate(openssl, certificate);
    places = { app: club.port(), https: await freePort(), http: await freePort(), certificate, folder };
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, adapt(text, places));
    const started = spawn(program, args(file, places), {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    });
    proxy = started;
    let output = "";
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (part) => (output += String(part)));
    while (started.exitCode === null && !(await answers())) await delay(50);
    if (started.exitCode !== null) throw new Error(`${name} did not take its file: ${output}`);
  }, 60_000);

  afterAll(async () => {
    if (!proxy || proxy.exitCode !== null) return;
    proxy.kill("SIGTERM");
    await once(proxy, "exit");
  });

  /** Resolves once the proxy listens and has found the server ready. */
  async function answers(): Promise<boolean> {
    const socket = connect(places.https, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen && (await ask("/")).status === 200;
  }

  /** Begins a request of the visitor. */
  const begin = (options: RequestOptions) =>
    request({
      ...{ host: "127.0.0.1", port: places.https, localAddress: visitorAddress, servername: "club.example" },
      ...{ rejectUnauthorized: false, agent: false },
      ...options,
    });

  async function ask(path: string, headers: Record<string, string> = {}) {
    // A request with credentials bypasses the page cache.
    const sent = begin({ path, headers: { host: "club.example", authorization: "Basic eA==", ...headers } }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await textOf(answer) };
  }

  return {
    begin,
    ask,
    places: () => places,
    /** Skips the test where the proxy is not installed. */
    needed(context: TestContext) {
      if (!program || !openssl) context.skip(`${name} and openssl are not installed here`);
    },
  };
}

/** What every proxy must do: tell the server who asks for what, and keep metrics and health to itself. */
export function testForwarding({ ask, needed }: ReturnType<typeof runProxy>): void {
  test("S1 the visitor's address, host and scheme arrive, whatever headers claim", async (context) => {
    needed(context);
    const forged = {
      "x-forwarded-for": "192.0.2.1, 198.51.100.1",
      "x-forwarded-host": "evil.example",
      "x-forwarded-proto": "http",
      forwarded: "for=192.0.2.1;host=evil.example",
      "x-real-ip": "192.0.2.1",
      "x-request-id": "chosen-by-the-visitor",
    };
    for (const headers of [{}, forged]) {
      const answer = await ask("/", headers);
      expect(answer.text).toContain(`https://club.example asked by ${visitorAddress}<`);
      expect(answer.headers["x-request-id"]).not.toBe("chosen-by-the-visitor");
      expect(answer.headers["strict-transport-security"]).toBeDefined();
    }
  });

  test("P6 visitors can't reach metrics and health", async (context) => {
    needed(context);
    for (const path of ["/metrics", "/readyz", "/healthz"]) {
      const answer = await ask(path, { authorization: `Bearer ${METRICS_TOKEN}` });
      expect(answer.status, path).toBe(404);
      expect(answer.text).not.toContain("farthing_");
    }
  });
}

export async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of answer) text += String(part);
  return text;
}

const programOf = (name: string) =>
  ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map((folder) => join(folder, name)).find(existsSync);

/** Writes a certificate for club.example and its key into one file. */
function makeCertificate(openssl: string, file: string): void {
  const subject = ["-subj", "/CN=club.example", "-addext", "subjectAltName=DNS:club.example"];
  const files = ["-keyout", `${file}.key`, "-out", file];
  execFileSync(openssl, ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
    stdio: "ignore",
  });
  writeFileSync(file, readFileSync(file, "utf8") + readFileSync(`${file}.key`, "utf8"));
  rmSync(`${file}.key`);
}

async function freePort(): Promise<number> {
  const socket = createSocketServer().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, "close");
  return port;
}
