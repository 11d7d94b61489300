import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, request as plainRequest, type IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect, createServer as createSocketServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { pageEntries as adminPages } from "@farthing/admin/pages.ts";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { pageEntries } from "@farthing/site/pages.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { requestLogger } from "../monitoring/logger.ts";
import { createListener } from "./listener.ts";
import { TrustedNetworks } from "./trusted-networks.ts";

// Runs the files of deploy/proxies as they are, in front of the real listener. Only ports, certificates and folders differ.

const programOf = (name: string) =>
  ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map((folder) => join(folder, name)).find(existsSync);
const read = (name: string) => readFileSync(new URL(`../../../deploy/proxies/${name}`, import.meta.url), "utf8");

/** The proxy is at 127.0.0.1 and the visitor, who is not trusted, at 127.0.0.2. */
const visitorAddress = "127.0.0.2";
const MEGABYTE = 1024 * 1024;
/** Each page of the site and of the admin that takes a file, as an address. */
const uploadPaths = [...pageEntries, ...adminPages]
  .filter(([, facts]) => "multipart" in facts && facts.multipart === "file")
  .map(([path]) => path.replaceAll(/:[a-zA-Z]+/g, "x"));

const brands = ["club", "evil"].map((slug) => ({ id: slug, slug, name: slug }) as Brand);
const app = testApp(brands, async (_, visit) => htmlPage(`${visit.origin} asked by ${visit.clientAddress}`, visit), {
  config: {
    environment: "production",
    publicScheme: "https",
    trustProxy: new TrustedNetworks("127.0.0.1"),
    metricsToken: "a3f09c1be7",
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
/** What the proxy's checks of /readyz were answered. */
let checks: number[] = [];
/** Answers posts with the bytes that came through, and everything else as the server does. */
const server = createServer((incoming, answer) => {
  if (incoming.url === "/readyz") answer.on("finish", () => checks.push(answer.statusCode));
  if (incoming.method !== "POST") return listener(incoming, answer);
  let bytes = 0;
  incoming.on("data", (part: Buffer) => (bytes += part.length));
  incoming.on("end", () => answer.end(`took ${bytes}`));
  incoming.on("error", () => answer.destroy());
});
let folder = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  folder = mkdtempSync(join(tmpdir(), "farthing-proxies-"));
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true, force: true });
});

async function freePort(): Promise<number> {
  const socket = createSocketServer().listen(0, "127.0.0.1");
  await once(socket, "listening");
  const { port } = socket.address() as AddressInfo;
  socket.close();
  await once(socket, "close");
  return port;
}

interface Places {
  app: number;
  https: number;
  http: number;
  /** A file with certificate and key, in a folder of its own. */
  certificate: string;
}

const proxies: {
  name: string;
  file: string;
  adapt(text: string, places: Places): string;
  args(file: string): string[];
  /** nginx notices by the requests themselves. */
  asksReady: boolean;
}[] = [
  {
    name: "haproxy",
    file: "haproxy.cfg",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      text
        .replace(/127\.0\.0\.1:30[01]0/g, `127.0.0.1:${upstream}`)
        // A busy machine misses a check a second; here no number of them takes the server out.
        .replace("check inter 1s fall 1", "check inter 1s fall 1000")
        // Only root may become another account.
        .replace(/^ {2}(?:user|group) haproxy$/gm, "")
        .replace("bind :80", `bind 127.0.0.1:${http}`)
        .replace("bind :443", `bind 127.0.0.1:${https}`)
        .replace("/etc/haproxy/certificates/", certificate),
    args: (file) => ["-db", "-f", file],
    asksReady: true,
  },
  {
    name: "nginx",
    file: "nginx.conf",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
       http { access_log off; ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`).join(" ")}
       ${text}}`
        .replace(/127\.0\.0\.1:30[01]0/g, `127.0.0.1:${upstream}`)
        .replace("listen 443 ssl", `listen 127.0.0.1:${https} ssl`)
        .replace("listen 80", `listen 127.0.0.1:${http}`)
        .replace("/etc/ssl/club.example.pem", certificate)
        .replace("/etc/ssl/club.example.key", certificate),
    args: (file) => ["-p", folder, "-c", file],
    asksReady: false,
  },
  {
    name: "caddy",
    file: "Caddyfile",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      `{\n  admin off\n  skip_install_trust\n  http_port ${http}\n  https_port ${https}\n}\n${text}`
        .replace(
          "club.example, www.club.example {",
          `club.example {\n  bind 127.0.0.1\n  tls ${certificate} ${certificate}`,
        )
        .replace("health_interval 1s", "health_interval 10m")
        .replace("127.0.0.1:3000 127.0.0.1:3010", `127.0.0.1:${upstream}`),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
    asksReady: true,
  },
];

describe.each(proxies)("deploy/proxies with $name", ({ name, file, adapt, args, asksReady }) => {
  const program = programOf(name);
  const openssl = programOf("openssl");
  let proxy: ChildProcess | undefined;
  let places: Places = { app: 0, https: 0, http: 0, certificate: "" };

  beforeAll(async () => {
    if (!program || !openssl) return;
    checks = [];
    const certificate = join(folder, `${name}.pem`);
    const subject = ["-subj", "/CN=club.example", "-addext", "subjectAltName=DNS:club.example"];
    const files = ["-keyout", `${certificate}.key`, "-out", certificate];
    execFileSync(openssl, ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
      stdio: "ignore",
    });
    writeFileSync(certificate, readFileSync(certificate, "utf8") + readFileSync(`${certificate}.key`, "utf8"));
    places = {
      app: (server.address() as AddressInfo).port,
      https: await freePort(),
      http: await freePort(),
      certificate,
    };
    const adapted = join(folder, `${name}.conf`);
    writeFileSync(adapted, adapt(read(file), places));
    const home = join(folder, `${name}-home`);
    mkdirSync(home);
    const started = spawn(program, args(adapted), {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: home, XDG_DATA_HOME: home, XDG_CONFIG_HOME: home },
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
    return isOpen && (await ask("/", {})).status === 200;
  }

  const visitor = () => ({
    ...{ host: "127.0.0.1", port: places.https, localAddress: visitorAddress, servername: "club.example" },
    ...{ rejectUnauthorized: false, agent: false as const },
  });

  async function ask(path: string, headers: Record<string, string>) {
    // A request with credentials bypasses the page cache.
    const sent = request({
      ...visitor(),
      path,
      headers: { host: "club.example", authorization: "Basic eA==", ...headers },
    }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, text: await textOf(answer) };
  }

  /** Begins a post of this many bytes, and sends them unless it is only announced. Returns the status and text. */
  async function post(path: string, bytes: number, { isOnlyAnnounced = false } = {}) {
    const sent = request({
      ...visitor(),
      path,
      method: "POST",
      headers: { host: "club.example", "content-length": String(bytes), "content-type": "application/octet-stream" },
    });
    if (isOnlyAnnounced) sent.flushHeaders();
    else sent.end(Buffer.alloc(bytes));
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    const text = isOnlyAnnounced ? "" : await textOf(answer);
    sent.on("error", () => {}).destroy();
    return { status: answer.statusCode, text };
  }
  const refuses = async (path: string, bytes: number) =>
    expect((await post(path, bytes, { isOnlyAnnounced: true })).status, path).toBe(413);

  test("S1 the visitor's address, host and scheme arrive, whatever headers claim", async (context) => {
    if (!program || !openssl) return context.skip(`${name} and openssl are not installed here`);
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

  test("S1 plain http is redirected to TLS, with its address", async (context) => {
    if (!program || !openssl) return context.skip(`${name} and openssl are not installed here`);
    const sent = plainRequest({
      ...{ host: "127.0.0.1", port: places.http, path: "/offers?sort=new", agent: false },
      headers: { host: "club.example" },
    }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    answer.resume();
    expect(answer.statusCode).toBe(308);
    expect(answer.headers.location?.replace(`:${places.https}`, "")).toBe("https://club.example/offers?sort=new");
  });

  test("R2 its checks of /readyz are answered: no server that is ready is taken out", async (context) => {
    if (!program || !openssl) return context.skip(`${name} and openssl are not installed here`);
    if (!asksReady) return context.skip(`${name} asks nothing by itself`);
    await expect.poll(() => checks).toContain(200);
    expect(checks.filter((status) => status !== 200)).toEqual([]);
  });

  test("P6 visitors can't reach metrics and health", async (context) => {
    if (!program || !openssl) return context.skip(`${name} and openssl are not installed here`);
    for (const path of ["/metrics", "/readyz", "/healthz"]) {
      const answer = await ask(path, { authorization: "Bearer a3f09c1be7" });
      expect(answer.status, path).toBe(404);
      expect(answer.text).not.toContain("farthing_");
    }
  });

  test("M4 S1 files of 20 MB pass on every page that takes one; larger bodies, and large ones elsewhere, are refused", async (context) => {
    if (!program || !openssl) return context.skip(`${name} and openssl are not installed here`);
    expect(uploadPaths).toContain("/verification");
    for (const path of uploadPaths)
      expect(await post(path, 5 * MEGABYTE), path).toEqual({ status: 200, text: `took ${5 * MEGABYTE}` });
    expect(await post("/verification", 20 * MEGABYTE)).toEqual({ status: 200, text: `took ${20 * MEGABYTE}` });
    for (const path of uploadPaths) await refuses(path, 21 * MEGABYTE + 1);
    await refuses("/login", 2 * MEGABYTE);
    expect(await post("/login", 1000)).toEqual({ status: 200, text: "took 1000" });
  });
});

async function textOf(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of answer) text += String(part);
  return text;
}
