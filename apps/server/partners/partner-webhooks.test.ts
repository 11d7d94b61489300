import { addApiKey } from "@farthing/core/partners/operations.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { rotateSecret } from "@farthing/core/partners/deliveries.server.ts";
import { forgetOldRequests } from "@farthing/core/partners/requests.server.ts";
import { mintAnswerSchema } from "@farthing/core/partners/schema.ts";
import { secretsNow, webhookEventKinds, webhookSecret } from "@farthing/core/partners/webhook-rules.ts";
import {
  deliveryAnswerSchema,
  deliveryListAnswerSchema,
  deliveryWithEventSchema,
} from "@farthing/core/partners/webhooks-schema.ts";
import { addWebhook, announceEvent, disableWebhook } from "@farthing/core/partners/webhooks.server.ts";
import { eventDataSchemas } from "@farthing/core/payments/partner-event-schema.ts";
import { paymentEventSchema } from "@farthing/core/payments/partner-schema.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { htmlPage } from "../app.testing.ts";
import { frameServer } from "./frames.testing.ts";
import { idempotent } from "./idempotent.ts";
import { deliverDue } from "./webhook-jobs.ts";

const { db } = await testDatabase();
const server = frameServer(db, async (_, visit) => htmlPage("page", visit));
const { clock } = server;
const partner = await makePartner(db, { mintsPerMinute: 1_000_000 });
const webhook = await addWebhook(db, { partnerId: partner.id, url: "https://127.0.0.1/hooks", allowLocal: true });
const testKey = (await addApiKey(db, { partnerId: partner.id, mode: "test" })).key;

const get = (path: string, key = partner.key) => server.get(`/api/partner/${path}`, { authorization: `Bearer ${key}` });
const post = async (path: string, { key = partner.key, body = "", ...headers }: Record<string, string> = {}) =>
  server.post(`/api/partner/${path}`, body, { authorization: `Bearer ${key}`, ...headers });
const announce = (mode: "live" | "test" = "live") =>
  announceEvent(db, { partnerId: partner.id, mode, kind: "payment.paid", data: {}, now: clock.now });
const deliveryOf = async (eventId: string) => {
  const { deliveries } = (await (await get(`webhook-deliveries?eventId=${eventId}`)).json()) as {
    deliveries: { id: string; state: string; attempts: number; lastError: string | null }[];
  };
  return deliveries[0]!;
};
const logger = { info: () => {}, warn: () => {}, error: () => {} };
const deliver = () =>
  deliverDue({ db, webhookKey: "the webhooks' key", allowPrivate: false, logger, now: () => clock.now });

describe("W10 the log of deliveries", () => {
  test("W10 S1 a replay goes the way of every delivery: to no private address, and the log says why", async () => {
    const { id } = await deliveryOf(await announce());
    await deliver();
    const replayed = await post(`webhook-deliveries/${id}/replay`);
    expect(replayed.status).toBe(202);
    expect(await replayed.json()).toMatchObject({ id, state: "waiting", attempts: 0 });
    await deliver();
    const shown = await (await get(`webhook-deliveries/${id}`)).json();
    expect(shown).toMatchObject({ id, state: "waiting", attempts: 1, lastError: "The address is not a public one." });
    expect(shown).toMatchObject({ event: { type: "payment.paid", mode: "live" } });
    const attempt = { status: null, error: "The address is not a public one.", attemptedAt: clock.now.toISOString() };
    expect(shown).toMatchObject({ history: [attempt, attempt] }); // before the replay and after it
    const parsed = deliveryWithEventSchema.parse(shown);
    expect(parsed.history).toHaveLength(2);
  });

  test("W10 a delivered event is sent again under its id, as often as it is asked for", async () => {
    const eventId = await announce();
    const { id } = await deliveryOf(eventId);
    const done = { next_try_at: null, delivered_at: clock.now, last_status: 200 };
    await db.updateTable("partner_webhook_deliveries").set(done).where("id", "=", id).execute();
    expect(await deliveryOf(eventId)).toMatchObject({ state: "delivered" });
    for (let count = 0; count < 2; count += 1) expect((await post(`webhook-deliveries/${id}/replay`)).status).toBe(202);
    expect(await deliveryOf(eventId)).toMatchObject({ id, state: "waiting" });
  });

  test("W10 S1 another partner and the other mode see and replay nothing, and their events are apart", async () => {
    const { id } = await deliveryOf(await announce());
    const testEvent = await announce("test");
    expect(await deliveryOf(testEvent)).toBeUndefined();
    for (const key of [testKey, (await makePartner(db)).key]) {
      expect((await get(`webhook-deliveries/${id}`, key)).status).toBe(404);
      expect((await post(`webhook-deliveries/${id}/replay`, { key })).status).toBe(404);
      expect((await get(`webhook-deliveries?cursor=${id}`, key)).status).toBe(422);
      expect((await post(`webhooks/${webhook.id}/rotate`, { key })).status).toBe(404);
      expect(await (await get("webhooks", key)).json()).toEqual({ webhooks: [] });
    }
    for (const odd of ["x", "%20", "a".repeat(300)]) {
      expect((await get(`webhook-deliveries/${odd}`)).status).toBe(404);
      expect((await post(`webhook-deliveries/${odd}/replay`)).status).toBe(404);
    }
  });

  test("W10 one address does not get the events of both modes, and one that is switched off stays so when it is refused", async () => {
    const again = { partnerId: partner.id, url: "https://127.0.0.1/hooks", allowLocal: true, mode: "test" as const };
    await expect(addWebhook(db, again)).rejects.toThrow("another address");
    const off = new Date("2026-10-01T12:00:00Z");
    const setOff = (at: Date | null) =>
      db.updateTable("partner_webhooks").set({ disabled_at: at }).where("id", "=", webhook.id).execute();
    await setOff(off);
    await expect(addWebhook(db, again)).rejects.toThrow("the live events");
    const stored = db.selectFrom("partner_webhooks").select("disabled_at").where("id", "=", webhook.id);
    expect(await stored.execute()).toEqual([{ disabled_at: off }]);
    await setOff(null);
  });
});

describe("W10 testing an endpoint", () => {
  const endpoint = async (mode: "live" | "test" = "live") => {
    const { id: partnerId, key } = await makePartner(db);
    const { id } = await addWebhook(db, { partnerId, url: "https://127.0.0.1/hooks", allowLocal: true, mode });
    const other = { partnerId, url: "https://127.0.0.1/other", allowLocal: true, mode };
    await addWebhook(db, other);
    const asked = mode === "live" ? key : (await addApiKey(db, { partnerId, mode })).key;
    const send = (body: string, more: Record<string, string> = {}) =>
      post(`webhooks/${id}/test`, {
        key: asked,
        body,
        ...(body ? { "content-type": "application/json" } : {}),
        ...more,
      });
    return { id, partnerId, key: asked, send };
  };
  const shown = async (key: string, id: string) =>
    deliveryWithEventSchema.parse(await (await get(`webhook-deliveries/${id}`, key)).json());

  test.each(webhookEventKinds)(
    "W10 %s is sent to this endpoint alone, marked as a test, with every field of its data",
    async (type) => {
      const { key, send } = await endpoint();
      const response = await send(JSON.stringify({ type }));
      expect(response.status).toBe(202);
      const { id } = deliveryAnswerSchema.parse(await response.json());
      const { event, ...delivery } = await shown(key, id);
      expect(delivery).toMatchObject({ type, state: "waiting", url: "https://127.0.0.1/hooks" });
      const whole = paymentEventSchema(type, z.strictObject(eventDataSchemas[type].shape)).strict().parse(event);
      expect(whole).toMatchObject({ id: delivery.eventId, mode: "test", isTest: true });
      const { deliveries } = deliveryListAnswerSchema.parse(await (await get("webhook-deliveries", key)).json());
      expect(deliveries.map((one) => one.id)).toEqual([id]);
    },
  );

  test("W10 it is payment.paid by default, and goes the way of every delivery, which the log has", async () => {
    const { key, send } = await endpoint("test");
    const { id } = deliveryAnswerSchema.parse(await (await send("")).json());
    await deliver();
    expect(await shown(key, id)).toMatchObject({
      ...{ type: "payment.paid", attempts: 1, lastError: "The address is not a public one." },
      event: { mode: "test", isTest: true },
    });
  });

  test("W10 the same Idempotency-Key sends one, and another type with it is refused", async () => {
    const { key, send } = await endpoint();
    const again = { "idempotency-key": "test-event-1" };
    const first = await (await send("", again)).json();
    const second = await send('{"type":"payment.paid"}', again);
    expect([second.headers.get("idempotency-replayed"), await second.json()]).toEqual(["true", first]);
    expect((await send('{"type":"payment.failed"}', again)).status).toBe(422);
    const { deliveries } = deliveryListAnswerSchema.parse(await (await get("webhook-deliveries", key)).json());
    expect(deliveries).toHaveLength(1);
  });

  test("W10 S1 ten a minute are sent, real events not counted; then 429 says how long to wait", async () => {
    const { partnerId, send } = await endpoint();
    await announceEvent(db, { partnerId, kind: "payment.paid", data: {}, now: clock.now });
    for (let count = 0; count < 10; count += 1) expect((await send("")).status).toBe(202);
    const refused = await send("");
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    const before = clock.now;
    clock.now = new Date(before.getTime() + 60_000);
    expect((await send("")).status).toBe(202);
    clock.now = before;
  });

  test("W10 Z5 an unknown type, another's endpoint and one that is switched off are refused, and nothing is sent", async () => {
    const { id, key, partnerId, send } = await endpoint();
    const wrong = await send('{"type":"payment.gone"}');
    expect([wrong.status, await wrong.text()]).toEqual([422, expect.stringContaining("payment.dispute_closed")]);
    for (const stranger of [partner.key, testKey]) expect((await send("", { key: stranger })).status).toBe(404);
    expect((await post("webhooks/x/test", { key })).status).toBe(404);
    await disableWebhook(db, { partnerId, url: "https://127.0.0.1/hooks", now: clock.now });
    expect((await send("")).status).toBe(409);
    const { rows } = await sql`select from partner_webhook_deliveries where webhook_id = ${id}`.execute(db);
    expect(rows).toEqual([]);
  });
});

describe("W10 rotating a webhook's secret", () => {
  const otherEndpoint = async () => {
    const { id: partnerId, key } = await makePartner(db);
    const { id } = await addWebhook(db, { partnerId, url: "https://127.0.0.1/hooks", allowLocal: true });
    return { id, key, owner: { partnerId, mode: "live" as const } };
  };
  const versionOf = async (id: string) => {
    const stored = db.selectFrom("partner_webhooks").select("secret_version as version").where("id", "=", id);
    return (await stored.executeTakeFirstOrThrow()).version;
  };

  test("W10 both secrets sign for a day, then the new one alone; meanwhile no other rotation is started", async () => {
    const key = "rotate-key-1";
    const [first, ...others] = await Promise.all(
      [key, "rotate-key-2", "rotate-key-3"].map(async (idempotencyKey) =>
        post(`webhooks/${webhook.id}/rotate`, { "idempotency-key": idempotencyKey }),
      ),
    );
    expect([first, ...others].map((response) => response?.status ?? 0).sort((one, other) => one - other)).toEqual([
      200, 409, 409,
    ]);
    const { version, previousUntil } = await db
      .selectFrom("partner_webhooks")
      .select(["secret_version as version", "previous_secret_until as previousUntil"])
      .where("id", "=", webhook.id)
      .executeTakeFirstOrThrow();
    expect(version).toBe(2);
    const secrets = (now: Date) => secretsNow("the webhooks' key", { id: webhook.id, version, previousUntil }, now);
    expect(secrets(clock.now)).toHaveLength(2);
    expect(secrets(new Date(clock.now.getTime() + 24 * 60 * 60_000))).toEqual([secrets(clock.now)[0]]);
    const answers = await Promise.all([first, ...others].map(async (response) => (await response!.json()) as object));
    expect(answers).toContainEqual(expect.objectContaining({ secret: secrets(clock.now)[0] }));
    // No secret is stored, in the answers that are kept for repetitions neither.
    const { rows } = { rows: await db.selectFrom("partner_requests").select("body").execute() };
    expect(JSON.stringify(rows)).not.toContain("whsec_");
  });

  test("W10 a rotation whose answer was not kept was not made: its repetition with the same key gets the new secret", async () => {
    const { id, key } = await otherEndpoint();
    const rotate = async () => post(`webhooks/${id}/rotate`, { key, "idempotency-key": "rotate-key-lost" });
    await sql`create function lose_answer() returns trigger language plpgsql as
      $$ begin raise exception 'the process has died'; end $$`.execute(db);
    await sql`create trigger lose_answer before update on partner_requests for each row
      when (new.request_key = 'rotate-key-lost' and new.status is not null) execute function lose_answer()`.execute(db);
    expect((await rotate()).status).toBe(500);
    await sql`drop function lose_answer cascade`.execute(db);
    expect(await versionOf(id)).toBe(1);
    const again = await rotate();
    expect(again.status).toBe(200);
    expect(await again.json()).toMatchObject({ secret: webhookSecret("the webhooks' key", { id, version: 2 }) });
    const replayed = await rotate();
    expect(replayed.headers.get("idempotency-replayed")).toBe("true");
    expect(await replayed.json()).toMatchObject({ secret: webhookSecret("the webhooks' key", { id, version: 2 }) });
    expect(await versionOf(id)).toBe(2);
  });

  test("W10 a rotation that lasts until its repetition has begun is not made: the repetition makes it", async () => {
    const { id, key, owner } = await otherEndpoint();
    const address = `/api/partner/webhooks/${id}/rotate`;
    const slow = idempotent({
      db,
      caller: owner,
      request: new Request(`https://club.example${address}`, {
        method: "POST",
        headers: { "idempotency-key": "rotate-key-slow" },
      }),
      value: {},
      isKeyRequired: false,
      isOneTransaction: true,
      now: () => clock.now,
      async run(_, trx) {
        await rotateSecret(trx, { owner, id, now: clock.now });
        const taken = { leased_until: new Date(clock.now.getTime() - 1) };
        await db.updateTable("partner_requests").set(taken).where("request_key", "=", "rotate-key-slow").execute();
        return { status: 200, body: {} };
      },
    });
    await expect(slow).rejects.toThrow("a repetition of it runs");
    const repeated = await post(`webhooks/${id}/rotate`, { key, "idempotency-key": "rotate-key-slow" });
    expect(repeated.status).toBe(200);
    expect(await repeated.json()).toMatchObject({ secret: webhookSecret("the webhooks' key", { id, version: 2 }) });
  });

  test("W10 an endpoint that is disabled keeps its secret: there is none to rotate", async () => {
    const { id, key } = await otherEndpoint();
    await db.updateTable("partner_webhooks").set({ disabled_at: clock.now }).where("id", "=", id).execute();
    expect((await post(`webhooks/${id}/rotate`, { key })).status).toBe(404);
    expect((await post(`webhooks/${id}/rotate`, { key })).status).toBe(404);
    expect(await versionOf(id)).toBe(1);
  });
});

describe("W10 Idempotency-Key", () => {
  const order = { origin: "https://shop.example", amountPence: 3420, reference: "basket-1042" };
  const mint = async (body: object, idempotencyKey: string, key = partner.key) =>
    post("sessions", {
      key,
      body: JSON.stringify(body),
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    });

  test("W10 the same key and body get the same token, which is stored nowhere and opens one frame", async () => {
    const [first, again] = [await mint(order, "mint-key-1"), await mint({ ...order }, "mint-key-1")];
    const answer = mintAnswerSchema.parse(await first.json());
    expect(await again.json()).toEqual(answer);
    expect([first, again].map((response) => response.headers.get("idempotency-replayed"))).toEqual([null, "true"]);
    expect(JSON.stringify(await db.selectFrom("partner_requests").selectAll().execute())).not.toContain(answer.token);
    expect((await server.get(server.address("/pay", answer.token))).status).toBe(200);
    expect((await server.get(server.address("/pay", answer.token))).status).toBe(410);
    expect(
      await db
        .selectFrom("widget_sessions")
        .select(["amount_pence", "reference"])
        .where("id", "=", answer.sessionId)
        .execute(),
    ).toEqual([{ amount_pence: 3420, reference: "basket-1042" }]);
  });

  test("W10 another body is refused, another partner's and mode's keys are apart, and two days later a key is new", async () => {
    await mint(order, "mint-key-2");
    expect((await mint({ ...order, amountPence: 1 }, "mint-key-2")).status).toBe(422);
    expect((await mint({ ...order, amountPence: 3421 }, "mint-key-2")).status).toBe(422);
    expect((await mint({ ...order, amountPence: 3421 }, "mint-key-2", testKey)).status).toBe(201);
    clock.now = new Date(clock.now.getTime() + 24 * 60 * 60_000);
    await forgetOldRequests(db, { now: clock.now });
    expect((await mint({ ...order, amountPence: 3421 }, "mint-key-2")).status).toBe(422);
    clock.now = new Date(clock.now.getTime() + 25 * 60 * 60_000);
    expect(await forgetOldRequests(db, { now: clock.now })).toBeGreaterThan(0);
    expect((await mint({ ...order, amountPence: 3421 }, "mint-key-2")).status).toBe(201);
  });

  test("W10 of concurrent requests with one key, one mints", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, async () => mint(order, "mint-key-3")));
    expect(answers.filter(({ status }) => status !== 201 && status !== 409)).toEqual([]);
    const made = answers.filter(({ status }) => status === 201);
    const ids = new Set(
      await Promise.all(made.map(async (response) => mintAnswerSchema.parse(await response.json()).sessionId)),
    );
    expect(ids.size).toBe(1);
  });

  test("W10 a request whose process died runs again after a minute", async () => {
    await mint(order, "mint-key-4");
    await db
      .updateTable("partner_requests")
      .set({ status: null, body: null })
      .where("request_key", "=", "mint-key-4")
      .execute();
    expect((await mint(order, "mint-key-4")).status).toBe(409);
    clock.now = new Date(clock.now.getTime() + 61_000);
    expect((await mint(order, "mint-key-4")).status).toBe(201);
  });

  test.each([
    [{ amountPence: 29, reference: "r" }, "amountPence"],
    [{ amountPence: 1_000_001, reference: "r" }, "amountPence"],
    [{ amountPence: "3420", reference: "r" }, "amountPence"],
    [{ amountPence: 3420 }, "reference"],
    [{ amountPence: 3420, reference: " " }, "reference"],
    [{ amountPence: 3420, reference: "r\ud800" }, "reference"],
    [{ amountPence: 3420, reference: "r", description: "two\nlines" }, "description"],
    [{ amountPence: 3420, reference: "r", description: "x".repeat(201) }, "description"],
    [{ amountPence: 3420, reference: "r", email: "nobody" }, "email"],
    [{ description: "without a price" }, "description"],
    [{ email: "robin@customer.example" }, "email"],
    [{ amountPence: 3420, reference: "r", currency: "EUR" }, "currency"],
  ])("W10 Z5 %j is refused, with the field's name", async (body, field) => {
    const response = await mint({ origin: "https://shop.example", ...body }, crypto.randomUUID());
    expect([400, 422]).toContain(response.status);
    if (response.status === 422)
      expect(((await response.json()) as { errors: { field: string }[] }).errors.map((error) => error.field)).toContain(
        field,
      );
  });
});
