import { channel } from "node:diagnostics_channel";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { openWidgetSession } from "@farthing/core/partners/widget-session.server.ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { cardKeys, startTestCards } from "../../../sandbox/testing/start-test-cards.ts";
import { realServer } from "../attacks/real-server.testing.ts";
import { readConfig } from "../env.ts";
import { startCollector, type CollectedSpan } from "./collector.testing.ts";
import { openTracing } from "./open-tracing.ts";

/** What a trace must not hold. */
const planted = {
  name: "Ada Plantedname",
  email: "planted@example.org",
  token: "planted-token-0123456789",
  card: "GIFT-PLANTED-4242",
  secret: "planted-push-secret",
};
/** The caller's span, as a proxy passes it on. */
const CALLER = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const traceparent = `00-${CALLER.traceId}-${CALLER.spanId}-01`;

const collector = await startCollector();
const cards = await startTestCards();
afterAll(() => cards.end());
const lines: Record<string, unknown>[] = [];
const server = await realServer({
  settings: {
    STRIPE_SECRET_KEY: cardKeys.secret,
    STRIPE_WEBHOOK_SECRET: cardKeys.webhookSecret,
    STRIPE_API_URL: cards.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20of-the-collector",
    OTEL_TRACES_SAMPLER_ARG: "1",
  },
  onLogLine: (line) => void lines.push(JSON.parse(line) as Record<string, unknown>),
});
let bearer = "";
beforeAll(async () => {
  await insertBrand(server.db, { slug: "one", isDefault: true });
  const partner = await makePartner(server.db);
  const session = { partnerId: partner.id, origin: partner.origin, reference: null, now: new Date() };
  ({ bearer } = await openWidgetSession(server.db, session));
});

const asking = (headers: Record<string, string> = {}) => ({ host: "one.test", headers });

async function startPayment(headers: Record<string, string> = {}): Promise<number> {
  const body = JSON.stringify({ amountPence: 1234, reference: planted.name, idempotencyKey: planted.card });
  const json = { authorization: `Bearer ${bearer}`, "content-type": "application/json", ...headers };
  const path = `/api/payments?email=${encodeURIComponent(planted.email)}&token=${planted.token}`;
  return (await server.raw("POST", path, { ...asking(json), body })).status;
}

/** Returns the trace of a request once its own span has arrived, which is the last. */
async function traceOf(traceId: string): Promise<CollectedSpan[]> {
  return await vi.waitFor(
    async () => {
      const spans = (await collector.spans()).filter((span) => span.traceId === traceId);
      expect(spans.map(({ kind }) => kind)).toContain(SERVER);
      return spans;
    },
    { timeout: 20_000, interval: 50 },
  );
}

const SERVER = 2; // SpanKind of OTLP

describe("P6 traces", () => {
  test("P6 a request, its statements and the provider's call are one trace, which goes on from the caller's", async () => {
    expect(await startPayment({ traceparent })).toBe(201);
    const spans = await traceOf(CALLER.traceId);
    const request = spans.find(({ kind }) => kind === SERVER);
    expect(request).toMatchObject({
      name: "POST /api/*",
      parentSpanId: CALLER.spanId,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/*",
        "http.response.status_code": 201,
      },
    });
    const parts = spans.filter((span) => span !== request);
    expect(parts.every(({ parentSpanId }) => parentSpanId === request?.spanId)).toBe(true);
    const names = parts.map(({ name }) => name);
    expect(names).toContain("insert payments");
    const calls = parts.filter(({ name }) => name === `POST ${new URL(cards.url).host}`);
    expect(calls.map(({ attributes }) => attributes["http.response.status_code"])).toEqual(
      expect.arrayContaining([200]),
    );
    for (const part of parts) {
      expect(BigInt(part.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(request?.startTimeUnixNano ?? 0));
      expect(BigInt(part.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(part.startTimeUnixNano));
    }
    expect(spans.map(({ name }) => name).join()).not.toContain(new URL(collector.url).host);
  });

  test("P6 the log's line has the trace's id, and the trace the request's", async () => {
    const answer = await server.get("/retailers", asking({ traceparent: traceparent.replace("0af7", "1af7") }));
    const id = CALLER.traceId.replace("0af7", "1af7");
    const [request] = (await traceOf(id)).filter(({ kind }) => kind === SERVER);
    expect(request).toMatchObject({
      name: "GET /retailers",
      attributes: { "farthing.brand": "one", "farthing.request_id": answer.headers["x-request-id"] },
    });
    expect(lines).toContainEqual(expect.objectContaining({ requestId: answer.headers["x-request-id"], trace: id }));
  });

  test("S1 a trace holds no personal data and no secret", async () => {
    const marked = (n: string) => asking({ traceparent: traceparent.replace("0af7", n), cookie: `x=${planted.token}` });
    await startPayment({ traceparent: traceparent.replace("0af7", "3af7") });
    await server.get(`/search?q=${encodeURIComponent(planted.email)}`, marked("4af7"));
    await server.raw("POST", `/webhooks/awin/${planted.secret}`, marked("5af7"));
    await server.post("/login", {
      ...marked("6af7"),
      form: { email: planted.email, password: planted.token },
    });
    await server.get(`/made/up/${planted.card}`, marked("7af7"));
    for (const n of ["3af7", "4af7", "5af7", "6af7", "7af7"]) await traceOf(CALLER.traceId.replace("0af7", n));
    const text = await collector.read();
    const spans = await collector.spans();
    expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(["GET /search", "POST /webhooks/*"]));
    for (const [what, value] of Object.entries({ ...planted, bearer, firstName: "Plantedname", key: cardKeys.secret }))
      expect(text.includes(value), what).toBe(false);
    for (const { attributes } of spans)
      expect(Object.keys(attributes).join()).not.toMatch(/url|path|query\.param|addr$/);
  });

  test("P6 each export has the headers of the setting", async () => {
    const headers = await collector.headers();
    expect(headers.length).toBeGreaterThan(0);
    expect(headers.every(({ authorization }) => authorization === "Bearer of-the-collector")).toBe(true);
  });

  test("P6 a collector that refuses costs one line in the log, and is told of again when it is back", async () => {
    const told = (word: string) => lines.filter(({ msg }) => String(msg).includes(word)).length;
    await collector.refuse(400);
    for (const n of ["8", "9"]) {
      await server.get("/retailers", asking({ traceparent: traceparent.replace("0", n) }));
      await vi.waitFor(() => expect(told("does not take traces")).toBe(1), { timeout: 20_000 });
    }
    await collector.read();
    await server.get("/retailers", asking({ traceparent: traceparent.replace("0af7", "aaf7") }));
    await vi.waitFor(() => expect(told("takes traces again")).toBe(1), { timeout: 20_000 });
    expect(told("does not take traces")).toBe(1);
  });
});

test("P6 without the setting nothing listens, and listener and log stay as they are", async () => {
  const heard = () =>
    ["undici:request:create", "http.client.request.created", "tracing:farthing:query:start"].map(
      (name) => channel(name).hasSubscribers,
    );
  const before = heard();
  const closing: unknown[] = [];
  const config = readConfig({});
  expect(config.tracing).toBeNull();
  const tracing = await openTracing({ config, logger: { info() {}, warn() {} }, closing: [] });
  const [listener, logRequest] = [() => {}, () => {}];
  expect(tracing.around(listener)).toBe(listener);
  expect(tracing.named(logRequest)).toBe(logRequest);
  expect(heard()).toEqual(before);
  expect(closing).toEqual([]);
});
