import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import { request } from "node:https";
import { connect, createServer as createSocketServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { createListener } from "./listener.ts";
import { requestLogger } from "../monitoring/logger.ts";
import { TrustedNetworks } from "./trusted-networks.ts";

// Runs the examples of docs/operations/behind-a-proxy.md in front of the real listener. Only ports, certificates and
// folders differ.

const page = readFileSync(new URL("../../../docs/operations/behind-a-proxy.md", import.meta.url), "utf8");
const example = (language: string) => new RegExp("```" + language + "\n([^]*?)```").exec(page)?.[1] ?? "";
const programOf = (name: string) =>
  ["/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin"].map((folder) => join(folder, name)).find(existsSync);

/** The proxy is at 127.0.0.1 and the visitor, who is not trusted, at 127.0.0.2. */
const visitorAddress = "127.0.0.2";

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
const server = createServer(
  createListener({
    app: app.app,
    cache: null,
    config: app.config,
    sessionCookieName: "farthing_session",
    metrics: app.metrics,
    logger: app.logger,
    logRequest: requestLogger(app.logger),
    readiness: app.readiness,
  }),
);
let folder = "";

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  folder = mkdtempSync(join(tmpdir(), "farthing-proxy-"));
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

interface Ports {
  app: number;
  https: number;
  http: number;
  /** Returns a file with key and certificate. */
  certificate: string;
}

const proxies: {
  name: string;
  language: string;
  adapt(text: string, ports: Ports): string;
  args(file: string): string[];
}[] = [
  {
    name: "nginx",
    language: "nginx",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {}
       http { access_log off; ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((of) => `${of}_temp_path ${folder}/${of};`).join(" ")}
       ${text}}`
        .replaceAll("127.0.0.1:3000", `127.0.0.1:${upstream}`)
        .replace("listen 443 ssl", `listen 127.0.0.1:${https} ssl`)
        .replace("listen 80", `listen 127.0.0.1:${http}`)
        .replace("/etc/ssl/club.example.pem", certificate)
        .replace("/etc/ssl/club.example.key", certificate),
    args: (file) => ["-p", folder, "-c", file],
  },
  {
    name: "haproxy",
    language: "haproxy",
    adapt: (text, { app: upstream, https, http, certificate }) =>
      text
        .replace(/127\.0\.0\.1:300[01]/g, `127.0.0.1:${upstream}`)
        // A busy machine may take its time for a check.
        .replace("timeout check 5s", "timeout check 5m")
        .replace("bind :80", `bind 127.0.0.1:${http}`)
        .replace("bind :443", `bind 127.0.0.1:${https}`)
        .replace("/etc/ssl/club.example.pem", certificate),
    args: (file) => ["-db", "-f", file],
  },
  {
    name: "caddy",
    language: "caddy",
    adapt: (text, { app: upstream, https, certificate }) =>
      `{\n  admin off\n  auto_https disable_redirects\n  skip_install_trust\n}\n${text}`
        .replace(
          "club.example, www.club.example {",
          `https://club.example:${https} {\n  tls ${certificate} ${certificate}`,
        )
        .replace("127.0.0.1:3000", `127.0.0.1:${upstream}`),
    args: (file) => ["run", "--adapter", "caddyfile", "--config", file],
  },
];

describe.each(proxies)("S1 behind $name as documented", ({ name, language, adapt, args }) => {
  const program = programOf(name);
  const openssl = programOf("openssl");
  let proxy: ChildProcess | undefined;
  let https = 0;

  beforeAll(async () => {
    if (!program || !openssl) return;
    const certificate = join(folder, `${name}.pem`);
    const subject = ["-subj", "/CN=club.example", "-addext", "subjectAltName=DNS:club.example"];
    const files = ["-keyout", `${certificate}.key`, "-out", certificate];
    execFileSync(openssl, ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", ...subject, ...files], {
      stdio: "ignore",
    });
    writeFileSync(certificate, readFileSync(certificate, "utf8") + readFileSync(`${certificate}.key`, "utf8"));
    https = await freePort();
    const ports = { app: (server.address() as AddressInfo).port, https, http: await freePort(), certificate };
    const file = join(folder, `${name}.conf`);
    writeFileSync(file, adapt(example(language), ports));
    const started = spawn(program, args(file), {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, HOME: folder },
    });
    proxy = started;
    let output = "";
    for (const stream of [started.stdout, started.stderr]) stream.on("data", (part) => (output += String(part)));
    while (started.exitCode === null && !(await answers())) await delay(50);
    if (started.exitCode !== null) throw new Error(`${name} did not take its example: ${output}`);
  }, 60_000);

  afterAll(async () => {
    if (!proxy || proxy.exitCode !== null) return;
    proxy.kill("SIGTERM");
    await once(proxy, "exit");
  });

  /** Resolves once the proxy listens and has found the server ready. */
  async function answers(): Promise<boolean> {
    const socket = connect(https, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isOpen && (await ask("/", {})).status === 200;
  }

  async function ask(path: string, headers: Record<string, string>) {
    const sent = request({
      host: "127.0.0.1",
      port: https,
      localAddress: visitorAddress,
      servername: "club.example",
      rejectUnauthorized: false,
      path,
      agent: false,
      // A request with credentials bypasses the page cache.
      headers: { host: "club.example", authorization: "Basic eA==", ...headers },
    }).end();
    const [answer] = (await once(sent, "response")) as [IncomingMessage];
    let text = "";
    for await (const part of answer) text += String(part);
    return { status: answer.statusCode, headers: answer.headers, text };
  }

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
    }
  });

  test("P6 visitors can't reach metrics and health", async (context) => {
    if (!program || !openssl) return context.skip(`${name} and openssl are not installed here`);
    for (const path of ["/metrics", "/readyz", "/healthz"]) {
      const answer = await ask(path, { authorization: "Bearer a3f09c1be7" });
      expect(answer.status, path).toBe(404);
      expect(answer.text).not.toContain("farthing_");
    }
  });
});
