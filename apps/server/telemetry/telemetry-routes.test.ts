import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import {
  createEventRecorder,
  EventRecorderBusyError,
  type EventRecorder,
} from "@farthing/core/telemetry/event-recorder.server.ts";
import { storedEvents } from "@farthing/core/telemetry/telemetry.testing.ts";
import { findBrandByHost, findBrandBySlug } from "@farthing/core/brands/queries.server.ts";
import { DatabaseUnavailableError } from "@farthing/db/unavailable.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { Hono } from "hono";
import { sql } from "kysely";
import { once } from "node:events";
import { createServer, request, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import type { AppEnv } from "../app-env.ts";
import { brandLookup } from "../brands/brand-lookup.ts";
import { answerFailures } from "../http/answer-failures.ts";
import { answerEvents } from "../http/fast/answer-events.ts";
import { refusePlainly } from "../http/refuse.ts";
import { TrustedNetworks } from "../http/trusted-networks.ts";
import { createCollector, type Collector } from "./collector.ts";
import { telemetryBrands } from "./telemetry-brands.ts";
import { telemetryRoutes } from "./telemetry-routes.ts";

const { db } = await testDatabase();
const [one, two, off] = [
  await insertBrand(db, { slug: "one" }),
  await insertBrand(db, { slug: "two" }),
  await insertBrand(db, { slug: "off" }),
];
await sql`update brands set features = '{"telemetry": true}' where slug in ('one', 'two')`.execute(db);
const KEY = "a key that is long enough for a test";
const now = new Date("2026-11-20T10:00:00Z");
const recorder = createEventRecorder({ db, now: () => now });

/** The two ways to the one collector: straight from the socket, as nearly every request goes, and through the app. */
type Way = (collector: Collector) => Pick<ReturnType<typeof throughApp>, "fetch">;

const closing: (() => void)[] = [];
afterAll(() => closing.forEach((close) => close()));
const logger = pino({ level: "silent" });

function fromSocket(collecting: Collector) {
  const answer = answerEvents({
    collector: collecting,
    config: { publicScheme: "https", trustProxy: new TrustedNetworks("loopback") },
    metrics: { request: () => {} },
    logRequest: () => {},
    logger,
  });
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing)).listen(0, "127.0.0.1");
  closing.push(() => server.close().closeAllConnections());
  return {
    async fetch({ method, url, headers, body }: WireRequest): Promise<Response> {
      if (!server.listening) await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      const { pathname, search } = new URL(url);
      const sent = request({ port, host: "127.0.0.1", path: pathname + search, method, headers, agent: false });
      sent.on("error", () => {}); // the server may end what it has refused
      sent.end(body);
      const [answered] = (await once(sent, "response")) as [IncomingMessage];
      const chunks: Buffer[] = [];
      for await (const chunk of answered) chunks.push(chunk as Buffer);
      return new Response(answered.statusCode === 204 ? null : Buffer.concat(chunks), {
        status: answered.statusCode ?? 0,
        headers: Object.entries(answered.headers).map(([name, value]) => [name, String(value)] as [string, string]),
      });
    },
  };
}

function throughApp(collecting: Collector) {
  const app = new Hono<AppEnv>();
  app.use(async (context, next) => {
    context.set("clientAddress", context.req.header("x-forwarded-for") ?? "192.0.2.1");
    await next();
  });
  app.onError(answerFailures({ logger }, async (context, problem) => refusePlainly(context, problem)));
  app.route("/", telemetryRoutes(collecting));
  return { fetch: async ({ url, ...init }: WireRequest): Promise<Response> => app.request(url, init) };
}

interface WireRequest {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
}

describe.each([
  ["from the socket", fromSocket],
  ["through the app", throughApp],
] satisfies [string, Way][])("%s", (_, way) => {
  function collector({
    events = recorder,
    batchKeys = [KEY],
    clock = () => 1,
  }: { events?: EventRecorder; batchKeys?: string[]; clock?: () => number } = {}) {
    const byHost = brandLookup({ findByHost: (host) => findBrandByHost(db, host) });
    const brands = telemetryBrands({
      brands: byHost,
      brandOfHost: byHost,
      brandOfSlug: (slug) => findBrandBySlug(db, slug),
      config: { publicScheme: "https", trustProxy: false },
    });
    const outcomes: string[] = [];
    const collecting = createCollector({
      ...{ brands, events, batchKeys, clock },
      onEvents: (outcome, count) => outcomes.push(`${outcome} ${count}`),
    });
    return { outcomes, ...way(collecting) };
  }

  const event = {
    userId: null,
    sessionId: "s1",
    affinityId: "a1",
    eventType: "OfferRedeemed",
    additionalFields: { OfferId: "o1" },
  };
  type Sent = {
    body?: string | Uint8Array<ArrayBuffer>;
    headers?: Record<string, string>;
    host?: string;
    path?: string;
    method?: string;
  };
  const send = (
    { fetch }: ReturnType<typeof collector>,
    {
      body = JSON.stringify(event),
      headers = {},
      host = "one.test",
      path = "/api/Telemetry",
      method = "POST",
    }: Sent = {},
  ) =>
    fetch({
      url: `https://${host}${path}`,
      method,
      headers: { host, "content-type": "application/json", ...headers },
      ...(method === "POST" && { body }),
    });
  const brandsStored = async () => (await storedEvents(db)).map(({ brand_id }) => brand_id);

  beforeEach(() => sql`truncate telemetry_events`.execute(db));

  /** Expects application/problem+json, which says what to do and repeats nothing that was sent. */
  async function expectProblem(
    answer: Response,
    status: number,
  ): Promise<{ errors?: { field: string }[]; detail: string }> {
    expect(answer.status).toBe(status);
    expect(answer.headers.get("content-type")).toBe("application/problem+json");
    expect(answer.headers.get("cache-control")).toBe("no-store");
    const problem = (await answer.json()) as { detail: string };
    expect(problem).toMatchObject({
      type: "about:blank",
      status,
      title: expect.any(String),
      detail: expect.any(String),
    });
    return problem;
  }

  describe("T3 one event", () => {
    test.each(["application/json", "application/json; charset=utf-8", "text/plain", "text/plain;charset=UTF-8"])(
      "T3 as %s is stored when it is answered, with 204 and no body",
      async (type) => {
        const answer = await send(collector(), { headers: { "content-type": type } });
        expect([
          answer.status,
          await answer.text(),
          answer.headers.get("set-cookie"),
          answer.headers.get("cache-control"),
        ]).toEqual([204, "", null, "no-store"]);
        expect(await storedEvents(db)).toMatchObject([
          { brand_id: one.id, event_type: "OfferRedeemed", subject: "o1", session_id: "s1", received_at: now },
        ]);
      },
    );

    test("T3 stores no address and nothing of the request's headers", async () => {
      await send(collector(), {
        headers: {
          "x-forwarded-for": "203.0.113.77",
          "user-agent": "Secret/1.0",
          cookie: "farthing_session=secret",
          referer: "https://one.test/private",
        },
      });
      const text = JSON.stringify(await storedEvents(db));
      expect(text).not.toMatch(/203\.0\.113|Secret|secret|private/);
    });

    test.each([
      ["another type", { headers: { "content-type": "application/x-www-form-urlencoded" } }, 415],
      ["no type", { headers: { "content-type": "" } }, 415],
      ["a picture", { headers: { "content-type": "image/png" } }, 415],
      ["multipart", { headers: { "content-type": "multipart/form-data; boundary=x" } }, 415],
      ["nothing", { body: "" }, 400],
      ["half of it", { body: JSON.stringify(event).slice(0, 40) }, 400],
      ["bytes that are no UTF-8", { body: new Uint8Array([0x22, 0xff, 0x22]) }, 400],
      ["UTF-16", { body: new Uint8Array(Buffer.from(JSON.stringify(event), "utf16le")) }, 400],
      ["a NUL", { body: JSON.stringify(event).replace("o1", "\0") }, 400],
      ["an escaped NUL", { body: JSON.stringify({ ...event, sessionId: "a\0" }) }, 422],
      [
        "an escaped lone surrogate",
        { body: JSON.stringify({ ...event, additionalFields: { OfferId: "\ud800" } }) },
        422,
      ],
      ["a number", { body: "1" }, 422],
      ["null", { body: "null" }, 422],
      ["a list of events", { body: JSON.stringify([event]) }, 422],
      ["deep brackets", { body: "[".repeat(8_000) + "]".repeat(8_000) }, 422],
      ["deep objects", { body: '{"a":'.repeat(2_500) + "1" + "}".repeat(2_500) }, 422],
      [
        "a repeated key that hides another",
        { body: JSON.stringify(event).replace('"s1"', '"s1","sessionId":""') },
        422,
      ],
      ["too much", { body: JSON.stringify({ ...event, more: "x".repeat(16 * 1024) }) }, 413],
      ["ten megabytes", { body: "x".repeat(10_000_000) }, 413],
    ] satisfies [string, Sent, number][])(
      "T3 %s is refused with a reason, and nothing is stored",
      async (_, sent, status) => {
        await expectProblem(await send(collector(), sent), status);
        expect(await storedEvents(db)).toEqual([]);
      },
    );

    test("T3 what is refused names its fields", async () => {
      const problem = await expectProblem(
        await send(collector(), { body: JSON.stringify({ ...event, additionalFields: {} }) }),
        422,
      );
      expect(problem.errors).toEqual([{ field: "additionalFields.OfferId", message: expect.stringMatching(/^is /) }]);
    });

    test("T3 a body of exactly 16 kB is taken, one byte more is not", async () => {
      const sized = (bytes: number) => JSON.stringify(event) + " ".repeat(bytes - JSON.stringify(event).length);
      expect((await send(collector(), { body: sized(16 * 1024) })).status).toBe(204);
      await expectProblem(await send(collector(), { body: sized(16 * 1024 + 1) }), 413);
    });

    test("T3 other methods are told which there are", async () => {
      for (const method of ["GET", "PUT", "DELETE"]) {
        const answer = await send(collector(), { method });
        await expectProblem(answer, 405);
        expect(answer.headers.get("allow")).toBe("POST, OPTIONS");
      }
    });

    test("T3 more than can be written is 503 with Retry-After, and so is a database that does not answer: never 204", async () => {
      const failing = (error: Error): EventRecorder => ({ record: () => Promise.reject(error), close: async () => {} });
      const busy = collector({ events: failing(new EventRecorderBusyError()) });
      const answer = await send(busy);
      await expectProblem(answer, 503);
      expect(answer.headers.get("retry-after")).toBe("1");
      expect(busy.outcomes).toEqual(["busy 1"]);
      const down = await send(collector({ events: failing(new DatabaseUnavailableError(new Error("down"))) }));
      await expectProblem(down, 503);
      expect(down.headers.get("retry-after")).toBe("5");
      await expectProblem(await send(collector({ events: failing(new Error("a fault")) })), 500);
    });

    test("T3 a flood from one address is slowed with 429 and Retry-After; another address is not, and a pause ends it", async () => {
      let clock = 1;
      const flooded = collector({ clock: () => clock });
      for (let sent = 0; sent < 300; sent++) expect((await send(flooded, { body: "x" })).status).toBe(400);
      const answer = await send(flooded);
      await expectProblem(answer, 429);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect((await send(flooded, { headers: { "x-forwarded-for": "198.51.100.1" } })).status).toBe(204);
      clock += 1_000;
      expect((await send(flooded)).status).toBe(204);
    });
  });

  describe("T3 whose event it is", () => {
    test("T3 the page's origin decides, whatever host it is sent to; without one, the host does", async () => {
      const fromPage = await send(collector(), { host: "telemetry.test", headers: { origin: "https://two.test" } });
      expect([fromPage.status, fromPage.headers.get("access-control-allow-origin")]).toEqual([204, "https://two.test"]);
      expect(fromPage.headers.get("vary")).toMatch(/Origin/);
      expect((await send(collector(), { host: "one.test" })).status).toBe(204);
      expect((await brandsStored()).toSorted()).toEqual([one.id, two.id].toSorted());
    });

    test.each([
      ["another site", "https://evil.example"],
      ["a page without an origin", "null"],
      ["a brand's name in a longer one", "https://one.test.evil.example"],
      ["a brand over http", "http://one.test"],
      ["a brand with a user", "https://x@one.test"],
      ["a brand with a path", "https://one.test/"],
      ["no address at all", "one.test"],
      ["an extension", "chrome-extension://one.test"],
      ["nothing", ""],
    ])("T3 %s (%s) is refused, may read nothing and stores nothing", async (_, origin) => {
      for (const method of ["POST", "OPTIONS"]) {
        const answer = await send(collector(), { method, headers: { origin } });
        await expectProblem(answer, 403);
        expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      }
      expect(await storedEvents(db)).toEqual([]);
    });

    test("T3 a preflight of a brand's page is answered with what it may send", async () => {
      const answer = await send(collector(), {
        method: "OPTIONS",
        host: "telemetry.test",
        headers: { origin: "https://one.test", "access-control-request-method": "POST" },
      });
      expect(answer.status).toBe(204);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "access-control-allow-origin": "https://one.test",
        "access-control-allow-methods": "POST",
        "access-control-allow-headers": "content-type",
        vary: "Origin",
      });
    });

    test("T3 refusals can be read by the brand's page too", async () => {
      const answer = await send(collector(), { body: "{}", headers: { origin: "https://one.test" } });
      expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([422, "https://one.test"]);
    });

    test("T1 a brand whose telemetry is off takes no event, and an unknown host has no brand", async () => {
      await expectProblem(await send(collector(), { host: "off.test" }), 403);
      await expectProblem(
        await send(collector(), { host: "telemetry.test", headers: { origin: "https://off.test" } }),
        403,
      );
      await expectProblem(await send(collector(), { host: "unknown.test" }), 421);
      await expectProblem(
        await send(collector(), {
          path: "/api/Telemetry/batch?brand=off",
          headers: { authorization: `Bearer ${KEY.replaceAll(" ", "-")}` },
        }),
        401,
      );
      expect(await storedEvents(db)).toEqual([]);
      expect(off.features.telemetry).toBe(false);
    });
  });

  describe("T3 batches of servers", () => {
    const key = "k".repeat(30);
    const batches = () => collector({ batchKeys: ["x".repeat(30), key] });
    const lines = (...all: unknown[]) =>
      all.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n");
    const batch = (body: string | Uint8Array<ArrayBuffer>, { headers = {}, ...sent }: Sent = {}) =>
      send(batches(), {
        body,
        path: "/api/Telemetry/batch",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/x-ndjson", ...headers },
        ...sent,
      });

    test("T3 a bad line harms no neighbour: each refused line is named with its reason, the others are stored", async () => {
      const good = (OfferId: string) => ({ ...event, additionalFields: { OfferId } });
      const answer = await batch(
        lines(
          good("a"),
          "not json",
          good("b"),
          { ...event, sessionId: 7 },
          "",
          "[".repeat(9_000),
          good("c"),
          JSON.stringify(good("x".repeat(17_000))),
        ) + "\n",
      );
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        stored: 3,
        refused: [
          { line: 2, status: 400, errors: [] },
          { line: 4, status: 422, errors: [{ field: "sessionId", message: "is not an id" }] },
          { line: 6, status: 400, errors: [] },
          { line: 8, status: 413, errors: [] },
        ],
      });
      expect((await storedEvents(db)).map(({ subject }) => subject)).toEqual(["a", "b", "c"]);
    });

    test("T3 a batch sent again stores events with an eventId once", async () => {
      const body = lines({ ...event, eventId: "0123456789abcdef" }, { ...event, eventId: "fedcba9876543210" });
      await batch(body);
      await batch(body);
      expect(await storedEvents(db)).toHaveLength(2);
    });

    test("T3 the brand is named or is the host's", async () => {
      await batch(lines(event), { path: "/api/Telemetry/batch?brand=two", host: "telemetry.test" });
      await batch(lines(event), { host: "one.test" });
      expect((await brandsStored()).toSorted()).toEqual([one.id, two.id].toSorted());
      for (const brand of ["unknown", "", "%00", "TWO", "two'--"])
        await expectProblem(await batch(lines(event), { path: `/api/Telemetry/batch?brand=${brand}` }), 421);
      await expectProblem(await batch(lines(event), { path: "/api/Telemetry/batch?brand=off" }), 403);
    });

    test("S1 needs a key, from a server: without one, with another, in a browser or where none is set up, nothing is read", async () => {
      for (const authorization of ["", key, `Bearer ${key}x`, `Bearer ${key.slice(1)}`, "Basic eA=="])
        await expectProblem(await batch(lines(event), { headers: { authorization } }), 401);
      await expectProblem(await batch(lines(event), { headers: { "sec-fetch-site": "same-origin" } }), 403);
      await expectProblem(
        await send(collector({ batchKeys: [] }), {
          path: "/api/Telemetry/batch",
          headers: { authorization: "Bearer " },
        }),
        401,
      );
      expect(await storedEvents(db)).toEqual([]);
    });

    test("T3 too many bytes or lines are refused as a whole, also without a length; as many as allowed are taken", async () => {
      await expectProblem(await batch("\n".repeat(5_001)), 413);
      await expectProblem(await batch(new Uint8Array(1024 * 1024 + 1)), 413);
      await expectProblem(await batch(lines(event), { headers: { "content-type": "application/json" } }), 415);
      const max = await batch(Array.from({ length: 5_000 }, () => JSON.stringify(event)).join("\n"));
      expect(await max.json()).toEqual({ stored: 5_000, refused: [] });
      expect(await (await batch("\n\r\n \n")).json()).toEqual({ stored: 0, refused: [] });
    });
  });
});
