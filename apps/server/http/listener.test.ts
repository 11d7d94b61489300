import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import type { Brand } from "@farthing/core/brands/brand.ts";
import { afterAll, describe, expect, test } from "vitest";
import { htmlPage, testApp } from "../app.testing.ts";
import { createListener } from "./listener.ts";
import { requestLogger } from "../monitoring/logger.ts";
import { TrustedNetworks } from "./trusted-networks.ts";

const brands = ["one", "two"].map((slug) => ({ id: slug, slug, name: slug }) as Brand);
let renderings = 0;
const tiny = testApp(brands, async (request, visit) =>
  htmlPage(
    `rendering ${(renderings += 1)} of ${visit.brand.slug} for ${request.headers.get("cookie") ?? "nobody"} ${"x".repeat(2000)}`,
    visit,
  ),
);
const server = createServer(
  createListener({
    app: tiny.app,
    cache: tiny.pages.cache,
    config: tiny.config,
    sessionCookieName: "farthing_session",
    metrics: tiny.metrics,
    logger: tiny.logger,
    logRequest: requestLogger(tiny.logger),
    readiness: tiny.readiness,
  }),
);
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address() as AddressInfo;
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

async function get(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = request({ port, host: "127.0.0.1", path, method, headers: { host: "one.test", ...headers } }).end();
  const [answer] = (await once(sent, "response")) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return { status: answer.statusCode, headers: answer.headers, body: Buffer.concat(chunks) };
}

/** Returns whether the listener answered without the app, as the log line says. */
const wasDirect = (answer: { headers: IncomingMessage["headers"] }) =>
  tiny.lines.some((line) => line["requestId"] === answer.headers["x-request-id"] && line["cached"] === true);

describe("cached pages without the app", () => {
  test("a direct answer has the same headers and body as the app's", async () => {
    const throughApp = await get("/same");
    const direct = await get("/same");
    expect({ throughApp: wasDirect(throughApp), direct: wasDirect(direct) }).toEqual({
      throughApp: false,
      direct: true,
    });
    const comparable = ({ status, headers, body }: typeof direct) => ({
      status,
      headers: { ...headers, "x-request-id": "", date: "" },
      body: body.toString(),
    });
    expect(comparable(direct)).toEqual(comparable(throughApp));
    expect(direct.headers["x-request-id"]).not.toBe(throughApp.headers["x-request-id"]);
  });

  test("S1 sessions, credentials, tokens and posts go through the app", async () => {
    await get("/guarded?q=1");
    expect(wasDirect(await get("/guarded?q=1", { cookie: "banner=closed" }))).toBe(true);
    for (const headers of [
      { cookie: "farthing_session=x" },
      { cookie: "a=b; farthing_session=x" },
      { authorization: "Basic eA==" },
    ] as Record<string, string>[]) {
      expect(wasDirect(await get("/guarded?q=1", headers))).toBe(false);
    }
    expect(wasDirect(await get("/guarded?q=1", {}, "POST"))).toBe(false);
    expect(wasDirect(await get("/guarded?q=1&reveal_code=x"))).toBe(false);
  });

  test("B4 S1 another brand, another port or a malformed host never gets this brand's page", async () => {
    await get("/brands");
    expect((await get("/brands", { host: "two.test" })).body.toString()).toContain("of two");
    for (const host of ["evil.example", "one.test.evil.example", "one.test/x", "ONE.test@evil.example", ""]) {
      const answer = await get("/brands", { host });
      expect([400, 421]).toContain(answer.status);
      expect(answer.body.toString()).not.toContain("of one");
    }
    expect((await get("/brands", { host: "one.test", "x-forwarded-host": "two.test" })).body.toString()).toContain(
      "of one",
    );
  });

  test("S1 B4 only a trusted proxy sets host and request id, also without the app", async () => {
    await get("/proxied");
    const seen = async (networks: string) => {
      const behind = createServer(
        createListener({
          app: tiny.app,
          cache: tiny.pages.cache,
          config: { ...tiny.config, trustProxy: new TrustedNetworks(networks) },
          sessionCookieName: "farthing_session",
          metrics: tiny.metrics,
          logger: tiny.logger,
          logRequest: requestLogger(tiny.logger),
          readiness: tiny.readiness,
        }),
      ).listen(0, "127.0.0.1");
      try {
        await once(behind, "listening");
        const headers = {
          host: "inside.test",
          "x-forwarded-host": "evil.test, one.test",
          "x-request-id": "proxy-id-12345",
        };
        const sent = request({
          port: (behind.address() as AddressInfo).port,
          host: "127.0.0.1",
          path: "/proxied",
          headers,
        }).end();
        const [answer] = (await once(sent, "response")) as [IncomingMessage];
        answer.resume();
        return [answer.statusCode, answer.headers["x-request-id"] === "proxy-id-12345"];
      } finally {
        behind.close();
        behind.closeAllConnections();
      }
    };
    expect(await seen("loopback")).toEqual([200, true]);
    expect(await seen("10.0.0.0/8"), "this test asks from elsewhere").toEqual([421, false]);
  });

  test("S1 a path that only normalises to a cached one goes through the app", async () => {
    await get("/plain");
    for (const path of ["/x/../plain", "/./plain", "/plain#x", "http://two.test/plain"])
      expect(wasDirect(await get(path))).toBe(false);
  });

  test("S2 an address that can't be read is refused, also if the page it would lead to is cached", async () => {
    await get("/search");
    expect(wasDirect(await get("/search?unread=1"))).toBe(true);
    for (const odd of ["%00", "%ED%A0%80", "%FF"]) expect((await get(`/search?q=${odd}`)).status, odd).toBe(400);
  });

  test("encodings, HEAD and 304 are served directly too", async () => {
    const first = await get("/encoded");
    const zipped = await get("/encoded", { "accept-encoding": "gzip" });
    expect(gunzipSync(zipped.body).toString()).toBe(first.body.toString());
    const head = await get("/encoded", {}, "HEAD");
    expect(head.headers["content-length"]).toBe(String(first.body.length));
    const unchanged = await get("/encoded", { "if-none-match": String(first.headers.etag) });
    expect({ status: unchanged.status, length: unchanged.body.length }).toEqual({ status: 304, length: 0 });
    for (const answer of [zipped, head, unchanged]) expect(wasDirect(answer)).toBe(true);
  });

  test("P6 during shutdown each answer closes its connection, and the page is still served", async () => {
    await get("/stopping");
    tiny.readiness.close();
    try {
      const direct = await get("/stopping");
      expect(direct.headers.connection).toBe("close");
      expect(direct.status).toBe(200);
      expect((await get("/readyz")).status).toBe(503);
    } finally {
      tiny.readiness.open();
    }
  });
});

describe("S1 B4 a request with two hosts is refused: a proxy may take the other one for the site", () => {
  /** Returns the status of a request with this target and these headers. */
  async function statusOf(target: string, headers: string): Promise<number> {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${target} HTTP/1.1\r\n${headers}\r\nConnection: close\r\n\r\n`);
    let text = "";
    for await (const part of socket) text += String(part);
    return Number(text.split(" ")[1]);
  }

  test("S1 two Host headers", async () => {
    expect(await statusOf("/same", "Host: one.test\r\nhost: two.test")).toBe(400);
  });

  test("S1 B4 a target with a host of its own is answered only where the header names the same", async () => {
    const usual = await statusOf("/same", "Host: one.test");
    expect(await statusOf("http://one.test/same", "Host: one.test")).toBe(usual);
    expect(await statusOf("http://ONE.test:80/same", "Host: one.test")).toBe(usual);
    for (const target of [
      "http://two.test/same",
      "http://two.test/",
      "http://one.test:81/same",
      "*",
      "same",
      "one.test:443",
    ])
      expect(await statusOf(target, "Host: one.test"), target).toBe(400);
  });
});

test("S1 TRACE is refused, and repeats nothing of the request", async () => {
  const answer = await get("/same", { cookie: "farthing_session=planted" }, "TRACE");
  expect(answer.status).toBe(405);
  expect(answer.body.toString()).not.toContain("planted");
});

describe("P6 load balancers that speak HTTP/1.0", () => {
  /** Returns the status of a request as HAProxy's httpchk sends it: without a Host. */
  async function statusWithoutHost(path: string): Promise<number> {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.0\r\n\r\n`);
    let text = "";
    for await (const part of socket) text += String(part);
    return Number(text.split(" ")[1]);
  }

  test("P6 they are told whether a process is ready, and no other address is answered without a Host", async () => {
    expect(await statusWithoutHost("/healthz")).toBe(200);
    expect(await statusWithoutHost("/readyz")).toBe(200);
    for (const path of ["/", "/metrics", "/readyz/", "/login"]) expect(await statusWithoutHost(path), path).toBe(400);
    tiny.readiness.close();
    try {
      expect(await statusWithoutHost("/readyz")).toBe(503);
    } finally {
      tiny.readiness.open();
    }
  });
});
