import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { storedEvents } from "@farthing/core/telemetry/telemetry.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { readConfig } from "../env.ts";
import { closeAll, type Closing } from "../process/shutdown.ts";
import { startServer } from "../start-server.ts";

// A collector on its own, as ROLES=collector starts it, behind real sockets.

const { db, url } = await testDatabase();
await insertBrand(db, { slug: "one", isDefault: true });
await sql`update brands set features = '{"telemetry": true}'`.execute(db);
const errors: string[] = [];
const logger = pino({ level: "error" }, { write: (line: string) => void errors.push(line) });
const closing: Closing[] = [];
let port = 0;
/** Each test is another visitor, so that the events of one slow down none of the others. */
let visitor = 0;

beforeAll(async () => {
  const config = readConfig({
    DATABASE_URL: url,
    FARTHING_SECRET: "a secret of a collector that tests start",
    ROLES: "collector",
    TRUST_PROXY: "loopback",
  });
  const started = await startServer({
    config: { ...config, environment: "staging", port: 0, host: "127.0.0.1" },
    ...{ logger, logRequest: () => {}, tell: () => {}, closing },
    loadSite: () => Promise.reject(new Error("A collector loads no pages.")),
  });
  ({ port } = started.server.address() as AddressInfo);
  closing.push({
    name: "server",
    close: async () => {
      started.server.closeAllConnections();
      started.server.close();
    },
  });
});
afterAll(() => closeAll(closing, logger));
beforeEach(async () => {
  visitor += 1;
  await sql`truncate telemetry_events`.execute(db);
});

const event = JSON.stringify({
  userId: null,
  sessionId: "s1",
  affinityId: "a1",
  eventType: "OfferRedeemed",
  additionalFields: { OfferId: "o1" },
});
const head = (method: string, path: string, headers: Record<string, string>) =>
  [
    `${method} ${path} HTTP/1.1`,
    "Host: one.test",
    `X-Forwarded-For: 192.0.2.${visitor}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    "",
  ].join("\r\n");
const post = (body: string, headers: Record<string, string> = {}) =>
  head("POST", "/api/Telemetry", {
    "Content-Type": "text/plain",
    "Content-Length": String(Buffer.byteLength(body)),
    ...headers,
  }) + body;

/** Sends bytes, and returns all that comes back until the server ends the connection. */
async function exchange(text: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  socket.on("error", () => {}); // the server may end it while we send
  socket.write(text);
  await once(socket, "close");
  return Buffer.concat(parts).toString();
}
const last = { Connection: "close" };
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);

test("T3 a collector alone takes events and health checks, and nothing else", async () => {
  const answer = await exchange(post(event, last));
  expect(statusOf(answer)).toBe(204);
  expect(answer).toMatch(/x-request-id: /i);
  expect(await storedEvents(db)).toHaveLength(1);
  for (const [method, path, status] of [
    ["OPTIONS", "/api/Telemetry", 403],
    ["GET", "/api/Telemetry", 405],
    ["GET", "/readyz", 200],
    ["GET", "/", 404],
    ["POST", "/api/telemetry", 404],
    ["POST", "/api/Telemetry/", 404],
    ["GET", "/api/suggestions?q=b", 404],
    ["PUT", "/api/Telemetry", 405],
  ] as const)
    expect(
      statusOf(
        await exchange(
          head(method, path, {
            ...last,
            "Content-Length": "0",
            ...(method === "OPTIONS" && { Origin: "https://evil.example" }),
          }),
        ),
      ),
      `${method} ${path}`,
    ).toBe(status);
  const preflight = await exchange(
    head("OPTIONS", "/api/Telemetry", { ...last, Origin: "http://one.test", "Access-Control-Request-Method": "POST" }),
  );
  expect(preflight).toMatch(/^HTTP\/1\.1 204[\s\S]*access-control-allow-origin: http:\/\/one\.test/i);
});

test("T3 an answer straight from the socket has the headers of the app's, which answers absolute addresses", async () => {
  const headersOf = (answer: string) =>
    answer
      .split("\r\n\r\n", 1)[0]!
      .toLowerCase()
      .split("\r\n")
      .filter((line) => !/^(date|x-request-id):/.test(line))
      .toSorted();
  const fromPage = { ...last, Origin: "http://one.test" };
  for (const [body, status] of [
    [event, 204],
    ["{}", 422],
    ["x".repeat(20_000), 413],
  ] as const) {
    const direct = await exchange(post(body, fromPage));
    const throughApp = await exchange(post(body, fromPage).replace(" /api", " http://one.test/api"));
    expect([statusOf(direct), headersOf(direct)], `${status}`).toEqual([status, headersOf(throughApp)]);
    expect(direct).toMatch(/content-security-policy: default-src 'none'/i);
  }
});

test("T3 endless and oversized bodies are refused, whatever they say of their length", async () => {
  const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
  const bodies = {
    "a length above the limit": post("", { ...last, "Content-Length": "10000000" }),
    "chunks without an end":
      head("POST", "/api/Telemetry", { ...last, "Content-Type": "text/plain", "Transfer-Encoding": "chunked" }) +
      chunk.repeat(20),
    "chunks of one byte":
      head("POST", "/api/Telemetry", { ...last, "Content-Type": "text/plain", "Transfer-Encoding": "chunked" }) +
      "1\r\nx\r\n".repeat(5_000),
  };
  for (const [name, text] of Object.entries(bodies)) expect(statusOf(await exchange(text)), name).toBe(413);
  expect(statusOf(await exchange(post("", { ...last, "Content-Length": "-1" })))).toBe(400);
  expect(statusOf(await exchange(post(event, { ...last, "Transfer-Encoding": "chunked" })))).toBe(400);
  expect(await storedEvents(db)).toEqual([]);
});

test("T3 connections that drop in the middle of anything cost nothing: no error, nothing stored, the next event is taken", async () => {
  const sockets: Socket[] = [];
  for (let index = 0; index < 300; index++) {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    sockets.push(socket);
    const whole = post(event.replace("s1", `half-${index}`));
    await once(socket, "connect");
    // In the middle of the body, or of garbage.
    socket.write(index % 3 === 0 ? "\0\x16\x03\x01garbage\r\n" : whole.slice(0, whole.length - 1 - (index % 60)));
  }
  for (const [index, socket] of sockets.entries()) {
    const gone = once(socket, "close");
    if (index % 2 === 0) socket.resetAndDestroy();
    else socket.destroy();
    await gone;
  }
  expect(statusOf(await exchange(post(event, last)))).toBe(204);
  expect((await storedEvents(db)).map(({ session_id }) => session_id)).toEqual(["s1"]);
  expect(errors).toEqual([]);
});

test("T3 a hundred events over one connection, one after the other, are each stored before they are answered", async () => {
  const answers = await exchange(
    Array.from({ length: 100 }, (_, index) => post(event, index === 99 ? last : {})).join(""),
  );
  expect(answers.match(/HTTP\/1\.1 204/g)).toHaveLength(100);
  expect(await storedEvents(db)).toHaveLength(100);
});

test("T3 a body that comes byte by byte is taken, and one that is refused early spoils nothing that follows on its connection", async () => {
  const socket = connect(port, "127.0.0.1").setNoDelay(true);
  const parts: Buffer[] = [];
  socket.on("data", (part: Buffer) => parts.push(part));
  for (const byte of Buffer.from(post(event.replace("s1", "byte by byte".replaceAll(" ", "-")))))
    await new Promise((resolve) => socket.write(Buffer.of(byte), resolve));
  // Pipelined: ten megabytes too much, a wrong type whose body is not read, and a good event.
  socket.write(post("x".repeat(10_000_000)) + post("y".repeat(10_000), { "Content-Type": "image/png" }));
  socket.write(post(event.replace("s1", "after"), last));
  await once(socket, "close");
  const answers = Buffer.concat(parts).toString();
  expect([...answers.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))).toEqual([204, 413, 415, 204]);
  expect((await storedEvents(db)).map(({ session_id }) => session_id).toSorted()).toEqual(["after", "byte-by-byte"]);
});

test("T3 a sender that is refused and never stops is answered and cut off", async () => {
  const socket = connect(port, "127.0.0.1");
  const answer = once(socket, "data");
  const closed = once(socket, "close");
  socket.on("error", () => {});
  socket.write(
    head("POST", "/api/Telemetry", { "Content-Type": "text/plain", "Transfer-Encoding": "chunked" }) +
      `4000\r\n${"x".repeat(0x4000)}\r\n`.repeat(2),
  );
  // It says nothing of an end, and waits for none.
  expect(statusOf(String((await answer)[0]))).toBe(413);
  await closed;
});

test("T3 what says that it waits for leave to send is given it, and what has no brand is refused", async () => {
  const answer = await exchange(post(event, { ...last, Expect: "100-continue" }));
  expect(answer).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 204/);
  for (const [host, status] of [
    ["unknown.test", 421],
    ["", 421],
  ] as const)
    expect(statusOf(await exchange(post(event, last).replace("Host: one.test", `Host: ${host}`))), host).toBe(status);
  expect(await storedEvents(db)).toHaveLength(1);
  expect(errors).toEqual([]);
});
