import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { createServer as createSocketServer, type AddressInfo, type Socket } from "node:net";
import { findLateQueues, findQueueStates } from "@farthing/core/background-work/overview.server.ts";
import { resumePartner, suspendPartner } from "@farthing/core/partners/operations.server.ts";
import { makePartner } from "@farthing/core/partners/partners.testing.ts";
import { webhookSecret } from "@farthing/core/partners/webhook-rules.ts";
import {
  findDelivery,
  listDeliveries,
  MAX_SHOWN_ATTEMPTS,
  replayDelivery,
} from "@farthing/core/partners/deliveries.server.ts";
import {
  addWebhook,
  announceEvent,
  claimDueDeliveries,
  disableWebhook,
  dueDeliveries,
  settleDelivery,
} from "@farthing/core/partners/webhooks.server.ts";
import { forgetOld } from "@farthing/core/retention/forget-old.server.ts";
import { RETENTION, type Term } from "@farthing/core/retention/rules.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { deliverDue, startWebhookJobs } from "./webhook-jobs.ts";
import { postWebhook } from "./post-webhook.ts";

const { db } = await testDatabase();
const received: { path: string; headers: IncomingHttpHeaders; body: string }[] = [];
let status = 200;
/** What happens before the endpoint answers. */
let onReceived = async () => {};
const endpoint = createServer((request, response) => {
  let body = "";
  request.setEncoding("utf8").on("data", (chunk: string) => (body += chunk));
  request.on("end", () => {
    received.push({ path: request.url ?? "", headers: request.headers, body });
    void onReceived().then(() => response.writeHead(status, { Location: "/elsewhere" }).end("x".repeat(100_000)));
  });
});
await new Promise<void>((resolve) => endpoint.listen(0, "127.0.0.1", resolve));
afterAll(() => {
  endpoint.closeAllConnections();
  endpoint.close();
});
const { port } = endpoint.address() as AddressInfo;

const start = new Date("2026-11-20T10:00:00Z");
const clock = { now: start };
const warnings: object[] = [];
const parts = {
  db,
  webhookKey: "the server's key",
  allowPrivate: true,
  now: () => clock.now,
  logger: { info() {}, warn: (fields: object) => void warnings.push(fields), error() {} },
};
const wait = (seconds: number) => void (clock.now = new Date(clock.now.getTime() + seconds * 1000));

async function partnerWithWebhook() {
  const partner = await makePartner(db);
  const url = `http://127.0.0.1:${port}/hooks`;
  return { partner, webhook: await addWebhook(db, { partnerId: partner.id, url, allowLocal: true }) };
}
const announce = (partnerId: string) =>
  announceEvent(db, { partnerId, kind: "payment.paid", data: { paymentId: "p1", amountPence: 1234 }, now: clock.now });

beforeEach(async () => {
  await db.deleteFrom("partner_webhooks").execute();
  received.length = 0;
  warnings.length = 0;
  status = 200;
  onReceived = async () => {};
});

describe("W10 partners' webhooks", () => {
  test("W10 an event arrives once, signed with the endpoint's secret over the time and the exact bytes", async () => {
    const { partner, webhook } = await partnerWithWebhook();
    const eventId = await announce(partner.id);
    expect(await deliverDue(parts)).toBe(1);
    expect(await deliverDue(parts)).toBe(0);
    expect(received).toHaveLength(1);
    const [{ headers, body, path }] = received as [(typeof received)[0]];
    expect(path).toBe("/hooks");
    expect(JSON.parse(body)).toEqual({
      id: eventId,
      type: "payment.paid",
      mode: "live",
      createdAt: clock.now.toISOString(),
      data: { paymentId: "p1", amountPence: 1234 },
    });
    const secret = webhookSecret(parts.webhookKey, webhook);
    const at = clock.now.getTime() / 1000;
    const expected = createHmac("sha256", secret).update(`${at}.${body}`).digest("hex");
    expect(headers["farthing-signature"]).toBe(`t=${at},v1=${expected}`);
    expect(headers["content-type"]).toBe("application/json");
  });

  test("S1 W10 while FARTHING_SECRET is changed, receivers with the endpoint's old or new secret take the event", async () => {
    const { partner, webhook } = await partnerWithWebhook();
    await announce(partner.id);
    await deliverDue({ ...parts, webhookKey: "the new key", oldWebhookKeys: [parts.webhookKey] });
    const [{ headers, body }] = received as [(typeof received)[0]];
    const at = clock.now.getTime() / 1000;
    const [fresh, old] = ["the new key", parts.webhookKey].map((key) =>
      createHmac("sha256", webhookSecret(key, webhook)).update(`${at}.${body}`).digest("hex"),
    );
    expect(headers["farthing-signature"]).toBe(`t=${at},v1=${fresh},v1=${old}`);
  });

  test("W10 every endpoint has its own secret, and a new version of it differs", async () => {
    const [one, two] = [(await partnerWithWebhook()).webhook, (await partnerWithWebhook()).webhook];
    const secrets = [one, two, { ...one, version: 2 }].map((webhook) => webhookSecret("key", webhook));
    expect(new Set(secrets).size).toBe(3);
  });

  test("W10 an event of a transaction that is rolled back is never sent", async () => {
    const { partner } = await partnerWithWebhook();
    await expect(
      db.transaction().execute(async (trx) => {
        await announceEvent(trx, { partnerId: partner.id, kind: "payment.paid", data: {}, now: clock.now });
        throw new Error("the payment was not stored");
      }),
    ).rejects.toThrow("the payment was not stored");
    expect(await deliverDue(parts)).toBe(0);
  });

  test("W10 neither another partner's endpoint nor a disabled one gets the event", async () => {
    const { partner } = await partnerWithWebhook();
    await announce((await partnerWithWebhook()).partner.id);
    await db
      .updateTable("partner_webhooks")
      .set({ disabled_at: clock.now })
      .where("partner_id", "<>", partner.id)
      .execute();
    expect(await deliverDue(parts)).toBe(0);
    expect(received).toHaveLength(0);
  });

  describe("of an endpoint that is switched off", () => {
    const lateIn = async (minutes: number) => {
      const now = new Date(clock.now.getTime() + minutes * 60_000);
      const { count } = await findLateQueues(db, { now, minutes: 15 });
      const state = (await findQueueStates(db, { now })).find(({ name }) => name === "partner_webhook_deliveries");
      return { count, due: state?.due, failing: state?.failing, givenUp: state?.givenUp };
    };
    const nothing = { count: 0, due: 0, failing: 0, givenUp: 0 };
    const deliveryOf = async (partnerId: string) => {
      const owner = { partnerId, mode: "live" as const };
      const page = await listDeliveries(db, { owner, filter: {}, cursor: null, max: 1 });
      return { owner, delivery: page!.deliveries[0]! };
    };
    const url = `http://127.0.0.1:${port}/hooks`;

    test("W10 R1 what waits is given up at once and calls nobody; it can be sent once the endpoint is enabled", async () => {
      const { partner } = await partnerWithWebhook();
      const others = (await partnerWithWebhook()).partner;
      await announce(partner.id);
      expect(await lateIn(60)).toMatchObject({ count: 1, due: 1 });
      expect(await disableWebhook(db, { partnerId: partner.id, url, now: clock.now })).toBe(true);
      expect(await disableWebhook(db, { partnerId: partner.id, url, now: clock.now })).toBe(false);
      expect(await lateIn(60)).toEqual(nothing);
      await announce(others.id);
      expect(await deliverDue(parts), "to another partner").toBe(1);

      const { owner, delivery } = await deliveryOf(partner.id);
      expect(delivery).toMatchObject({ state: "given-up", lastError: "The endpoint was disabled." });
      expect(await replayDelivery(db, { owner, id: delivery.id, now: clock.now })).toBe("disabled");
      await addWebhook(db, { partnerId: partner.id, url, allowLocal: true });
      expect(await deliverDue(parts)).toBe(0);
      expect(await replayDelivery(db, { owner, id: delivery.id, now: clock.now })).toBe("replayed");
      expect(await deliverDue(parts)).toBe(1);
      expect((await deliveryOf(partner.id)).delivery.state).toBe("delivered");
    });

    test("W10 R1 what is sent again once the endpoint is enabled, and fails for good, is listed as given up", async () => {
      const { partner } = await partnerWithWebhook();
      await announce(partner.id);
      await disableWebhook(db, { partnerId: partner.id, url, now: clock.now });
      await addWebhook(db, { partnerId: partner.id, url, allowLocal: true });
      const { owner, delivery } = await deliveryOf(partner.id);
      await replayDelivery(db, { owner, id: delivery.id, now: clock.now });
      status = 500;
      for (let sent = 1; sent > 0; sent = await deliverDue(parts)) wait(86_400);
      expect((await deliveryOf(partner.id)).delivery.state).toBe("given-up");
      expect(await lateIn(0)).toEqual({ ...nothing, givenUp: 1 });
    });

    test("W10 R1 what is being sent at that moment does not come back, whatever the endpoint answers", async () => {
      const { partner } = await partnerWithWebhook();
      await announce(partner.id);
      const [delivery] = await claimDueDeliveries(db, { now: clock.now, leaseMs: 60_000, max: 1 });
      await disableWebhook(db, { partnerId: partner.id, url, now: clock.now });
      const result = { status: 500, error: null, attemptedAt: clock.now, durationMs: 1, now: clock.now };
      expect(await settleDelivery(db, { delivery: delivery!, ...result })).toBe("lost");
      expect(await lateIn(60)).toEqual(nothing);
      expect((await deliveryOf(partner.id)).delivery).toMatchObject({ state: "given-up", history: [{ status: 500 }] });
    });

    test("W10 R1 what becomes due all the same is given up instead of waiting for ever", async () => {
      const { partner } = await partnerWithWebhook();
      await announce(partner.id);
      // Announced at the moment of the switch: the event saw the endpoint enabled.
      await db.updateTable("partner_webhooks").set({ disabled_at: clock.now }).execute();
      expect(await deliverDue(parts)).toBe(0);
      expect(await lateIn(60)).toEqual({ ...nothing, givenUp: 1 });
      const { delivery } = await deliveryOf(partner.id);
      expect(await dueDeliveries.revive(db, { id: delivery.id, now: clock.now })).toBe(true);
      expect(await deliverDue(parts)).toBe(0);
      expect(await lateIn(60)).toEqual({ ...nothing, givenUp: 1 });
      expect(received).toHaveLength(0);
    });
  });

  describe("of a partner that is suspended", () => {
    const stateIn = async (minutes: number) => {
      const now = new Date(clock.now.getTime() + minutes * 60_000);
      const { count } = await findLateQueues(db, { now, minutes: 15 });
      const state = (await findQueueStates(db, { now })).find(({ name }) => name === "partner_webhook_deliveries");
      return { count, due: state?.due, failing: state?.failing, givenUp: state?.givenUp };
    };
    const nothing = { count: 0, due: 0, failing: 0, givenUp: 0 };
    const idsReceived = () => received.map(({ body }) => (JSON.parse(body) as { id: string }).id).toSorted();

    test("W10 R1 what waits, and what happens meanwhile, is sent once it is resumed, and is not late until then", async () => {
      const { partner } = await partnerWithWebhook();
      const before = await announce(partner.id);
      status = 500;
      expect(await deliverDue(parts), "a first attempt").toBe(1);
      received.length = 0;
      status = 200;
      await suspendPartner(db, { partnerId: partner.id, now: clock.now });
      const meanwhile = await announce(partner.id);
      wait(2 * 86_400);
      expect(await deliverDue(parts)).toBe(0);
      expect(received).toHaveLength(0);
      expect(await stateIn(60)).toEqual(nothing);
      const owner = { partnerId: partner.id, mode: "live" as const };
      const { deliveries } = (await listDeliveries(db, { owner, filter: {}, cursor: null, max: 9 }))!;
      expect(deliveries.map(({ state }) => state)).toEqual(["waiting", "waiting"]);

      await resumePartner(db, { partnerId: partner.id, now: clock.now });
      expect(await stateIn(0), "due from now on").toMatchObject({ count: 0, due: 2 });
      expect(await deliverDue(parts)).toBe(2);
      expect(idsReceived()).toEqual([before, meanwhile].toSorted());
      expect(await deliverDue(parts)).toBe(0);
    });

    test("S1 M5 what waits for one that is never resumed ends with its term", async () => {
      const { partner } = await partnerWithWebhook();
      await announce(partner.id);
      await suspendPartner(db, { partnerId: partner.id, now: clock.now });
      const term = RETENTION["partner_webhook_deliveries"]?.ends[0] as Term;
      const forgetIn = async (days: number) => {
        const now = new Date(clock.now.getTime() + days * 86_400_000);
        return forgetOld(db, { table: "partner_webhook_deliveries", term, now });
      };
      expect(await forgetIn(term.days)).toBe(0);
      expect(await forgetIn(term.days + 1)).toBe(1);
    });

    test("W10 what is being sent at that moment is settled, and other partners' events go on", async () => {
      const { partner } = await partnerWithWebhook();
      await announce(partner.id);
      const [delivery] = await claimDueDeliveries(db, { now: clock.now, leaseMs: 60_000, max: 1 });
      await suspendPartner(db, { partnerId: partner.id, now: clock.now });
      const result = { status: 200, error: null, attemptedAt: clock.now, durationMs: 1, now: clock.now };
      expect(await settleDelivery(db, { delivery: delivery!, ...result })).toBe("delivered");
      await announce((await partnerWithWebhook()).partner.id);
      expect(await deliverDue(parts)).toBe(1);
    });
  });

  test.each([500, 404, 302])(
    "W10 after an answer of %i the same bytes are sent again later, and no redirect is followed",
    async (answer) => {
      const { partner } = await partnerWithWebhook();
      await announce(partner.id);
      status = answer;
      await deliverDue(parts);
      wait(9);
      expect(await deliverDue(parts)).toBe(0);
      wait(1);
      status = 204;
      expect(await deliverDue(parts)).toBe(1);
      expect(received.map(({ path }) => path)).toEqual(["/hooks", "/hooks"]);
      expect(received[1]?.body).toBe(received[0]?.body);
      expect(received[1]?.headers["farthing-signature"]).not.toBe(received[0]?.headers["farthing-signature"]);
      wait(60);
      expect(await deliverDue(parts)).toBe(0);
    },
  );

  test("W10 after a day of failures a delivery is given up, and the log says so", async () => {
    const { partner } = await partnerWithWebhook();
    await announce(partner.id);
    status = 500;
    const from = clock.now.getTime();
    for (let tries = 0; tries < 8; tries += 1) {
      expect(await deliverDue(parts)).toBe(1);
      const { next_try_at: next } = await db
        .selectFrom("partner_webhook_deliveries")
        .select("next_try_at")
        .executeTakeFirstOrThrow();
      if (next) clock.now = next;
    }
    expect(clock.now.getTime() - from).toBeGreaterThan(24 * 3600 * 1000);
    wait(7 * 24 * 3600);
    expect(await deliverDue(parts)).toBe(0);
    expect(warnings.length).toBe(1);
  });

  test("W10 the partner's log has each attempt: when, how long, and the answer or why there was none", async () => {
    const { partner, webhook } = await partnerWithWebhook();
    await announce(partner.id);
    const owner = { partnerId: partner.id, mode: "live" as const };
    const log = async () => (await listDeliveries(db, { owner, filter: {}, cursor: null, max: 10 }))!.deliveries[0]!;
    expect((await log()).history).toEqual([]);
    const made: Date[] = [];
    const attempt = async (seconds: number) => {
      wait(seconds);
      made.unshift(clock.now);
      expect(await deliverDue(parts)).toBe(1);
    };
    status = 500;
    await attempt(0);
    const nobody = { url: "http://127.0.0.1:1/" };
    await db.updateTable("partner_webhooks").set(nobody).where("id", "=", webhook.id).execute();
    await attempt(10);
    const here = { url: `http://127.0.0.1:${port}/hooks` };
    await db.updateTable("partner_webhooks").set(here).where("id", "=", webhook.id).execute();
    status = 204;
    await attempt(60);
    const { id, history } = await log();
    expect(history.map(({ status: answer, error }) => answer ?? error)).toEqual([204, "ECONNREFUSED", 500]);
    expect(history.map(({ attemptedAt }) => attemptedAt)).toEqual(made);
    for (const { durationMs } of history) expect(Number.isInteger(durationMs) && durationMs >= 0).toBe(true);

    // A replay goes on with the same log, of which the last twenty are shown.
    for (let count = 0; count < MAX_SHOWN_ATTEMPTS; count += 1) {
      await replayDelivery(db, { owner, id, now: clock.now });
      await attempt(1);
    }
    expect((await log()).history.map(({ attemptedAt }) => attemptedAt)).toEqual(made.slice(0, MAX_SHOWN_ATTEMPTS));
  });

  test("W10 an attempt that outlives its lease is in the log, though another worker has the delivery", async () => {
    const { partner } = await partnerWithWebhook();
    await announce(partner.id);
    const [delivery] = await claimDueDeliveries(db, { now: clock.now, leaseMs: 60_000, max: 1 });
    wait(61);
    await claimDueDeliveries(db, { now: clock.now, leaseMs: 60_000, max: 1 });
    const result = { status: 200, error: null, attemptedAt: clock.now, durationMs: 61_000.4, now: clock.now };
    expect(await settleDelivery(db, { delivery: delivery!, ...result })).toBe("lost");
    const owner = { partnerId: partner.id, mode: "live" as const };
    const found = await findDelivery(db, { owner, id: delivery!.id });
    expect(found).toMatchObject({ state: "waiting", history: [{ status: 200, error: null, durationMs: 61_000 }] });
  });

  test("W10 a delivery of a killed worker is sent by the next when the lease ends, a minute later", async () => {
    const { partner } = await partnerWithWebhook();
    await announce(partner.id);
    expect(await claimDueDeliveries(db, { now: clock.now, leaseMs: 60_000, max: 10 })).toHaveLength(1);
    wait(59);
    expect(await deliverDue(parts)).toBe(0);
    wait(1);
    expect(await deliverDue(parts)).toBe(1);
    expect(received).toHaveLength(1);
  });

  test("P6 a process that stops does not wait for a slow endpoint; the next one sends the event at once", async () => {
    const silent = createServer(() => jobs.close());
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const partner = await makePartner(db);
    const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}/`;
    await addWebhook(db, { partnerId: partner.id, url, allowLocal: true });
    await announce(partner.id);
    const closed = Promise.withResolvers<void>();
    // The endpoint stops the job once it has the event, and never answers.
    const running = startWebhookJobs(parts);
    const jobs = { close: () => void running.close().then(closed.resolve) };
    await closed.promise;
    silent.closeAllConnections();
    silent.close();
    await db
      .updateTable("partner_webhooks")
      .set({ url: `http://127.0.0.1:${port}/hooks` })
      .execute();
    expect(await deliverDue(parts)).toBe(1);
    expect(received).toHaveLength(1);
  });

  test("W10 concurrent workers send each event once", async () => {
    const { partner } = await partnerWithWebhook();
    for (let event = 0; event < 10; event += 1) await announce(partner.id);
    await Promise.all([deliverDue(parts), deliverDue(parts), deliverDue(parts)]);
    const ids = received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
    expect(new Set(ids).size).toBe(10);
    expect(ids).toHaveLength(10);
  });
});

test("W10 R1 a fault in settling deliveries is the job's to report, and they are sent again", async () => {
  const { partner } = await partnerWithWebhook();
  for (let event = 0; event < 2; event += 1) await announce(partner.id);
  await sql`create function refuse_attempt() returns trigger language plpgsql as $$
    begin
      if not exists (select from partner_webhook_attempts) then raise exception 'refused by the test'; end if;
      return new;
    end $$`.execute(db);
  await sql`create trigger refuse_attempt before insert on partner_webhook_attempts
    for each row execute function refuse_attempt()`.execute(db);
  try {
    await expect(deliverDue(parts)).rejects.toThrow(/refused by the test|steps of a job failed/);
  } finally {
    await sql`drop function refuse_attempt cascade`.execute(db);
  }
  wait(60);
  while ((await deliverDue(parts)) > 0);
  const delivered = await db
    .selectFrom("partner_webhook_deliveries")
    .select("delivered_at")
    .where("delivered_at", "is not", null)
    .execute();
  expect(delivered).toHaveLength(2);
});

describe("R1 an endpoint that does not answer", () => {
  /** An endpoint that keeps every request until `answer` is called, and then answers all. */
  async function silentEndpoint(onRequest: () => void = () => {}) {
    let isSilent = true;
    let maxAtOnce = 0;
    const kept: ServerResponse[] = [];
    const server = createServer((_request, response) => {
      if (!isSilent) return void response.writeHead(204).end();
      kept.push(response);
      maxAtOnce = Math.max(maxAtOnce, kept.length);
      onRequest();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const partner = await makePartner(db);
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await addWebhook(db, { partnerId: partner.id, url, allowLocal: true });
    return {
      partner,
      maxAtOnce: () => maxAtOnce,
      answer() {
        isSilent = false;
        for (const response of kept.splice(0)) response.writeHead(204).end();
      },
      close() {
        server.closeAllConnections();
        server.close();
      },
    };
  }
  const attempts = async () => (await db.selectFrom("partner_webhook_attempts").select("status").execute()).length;

  test("W10 R1 has at most four requests, and an event of another partner that is due later does not wait for it", async () => {
    const silent = await silentEndpoint();
    const { partner } = await partnerWithWebhook();
    for (let event = 0; event < 40; event += 1) await announce(silent.partner.id);
    wait(1);
    const eventId = await announce(partner.id);
    let attemptsBefore = -1;
    onReceived = async () => {
      attemptsBefore = await attempts();
      silent.answer();
    };
    try {
      expect(await deliverDue(parts)).toBe(41);
      expect(attemptsBefore, "attempts that had ended when it arrived").toBe(0);
      expect(received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([eventId]);
      expect(silent.maxAtOnce()).toBe(4);
    } finally {
      silent.close();
    }
  });

  test("W10 R1 an event that happens while its requests are in flight does not wait for them", async () => {
    const { partner } = await partnerWithWebhook();
    const announced = Promise.withResolvers<unknown>();
    const silent = await silentEndpoint(() => announced.resolve(announce(partner.id)));
    await announce(silent.partner.id);
    const arrived = Promise.withResolvers<number>();
    onReceived = async () => arrived.resolve(await attempts());
    const job = startWebhookJobs(parts);
    try {
      await announced.promise;
      expect(await arrived.promise, "attempts that had ended when it arrived").toBe(0);
    } finally {
      await job.close();
      silent.close();
    }
  });
});

describe("R1 endpoints that answer with what is no answer", () => {
  /** An endpoint that writes `bytes` to whoever asks, until it has no more of them, and leaves the connection open. */
  async function endpointThatWrites(bytes: string, { isEndless = false } = {}) {
    const sockets = new Set<Socket>();
    const server = createSocketServer((socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      const more = () => {
        while (socket.writable && socket.write(bytes) && isEndless);
      };
      if (isEndless) socket.on("drain", more);
      socket.once("data", more);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return {
      url,
      async close() {
        for (const socket of sockets) socket.destroy();
        await new Promise((resolve) => server.close(resolve));
      },
    };
  }
  const answers = {
    "another protocol": "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    "another protocol, and more":
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
  };

  test.each(Object.entries(answers))(
    "W10 R1 P6 one that answers with %s fails, and other partners' events go on",
    async (_, bytes) => {
      const odd = await endpointThatWrites(bytes);
      try {
        const partner = await makePartner(db);
        await addWebhook(db, { partnerId: partner.id, url: odd.url, allowLocal: true });
        await announce(partner.id);
        const eventId = await announce((await partnerWithWebhook()).partner.id);
        expect(await deliverDue(parts)).toBe(2);
        expect(received.map(({ body }) => (JSON.parse(body) as { id: string }).id)).toEqual([eventId]);
        const owner = { partnerId: partner.id, mode: "live" as const };
        const { deliveries } = (await listDeliveries(db, { owner, filter: {}, cursor: null, max: 9 }))!;
        expect(deliveries).toMatchObject([{ state: "waiting", history: [{ status: 101, error: null }] }]);
      } finally {
        await odd.close();
      }
    },
  );

  test("W10 R1 one that never gets past interim answers is hung up on", async () => {
    const odd = await endpointThatWrites("HTTP/1.1 103 Early Hints\r\n\r\n".repeat(100), { isEndless: true });
    try {
      const result = await postWebhook({ url: odd.url, body: "{}", signature: "t=1,v1=x", allowPrivate: true });
      expect(result).toEqual({ status: null, error: "It sent only interim answers." });
    } finally {
      await odd.close();
    }
  });

  test("W10 R1 one that closes the connection without an answer fails", async () => {
    const odd = createSocketServer((socket) => socket.once("data", () => socket.end()));
    await new Promise<void>((resolve) => odd.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}/`;
    const result = await postWebhook({ url, body: "{}", signature: "t=1,v1=x", allowPrivate: true });
    expect(result).toEqual({ status: null, error: "ECONNRESET" });
    await new Promise((resolve) => odd.close(resolve));
  });
});

test.each([
  "http://shop.example/hooks",
  "https://user:pw@shop.example/",
  "ftp://shop.example",
  "https://localhost/hooks",
  "hooks",
])("W10 %s is refused as an endpoint", async (url) => {
  const { id: partnerId } = await makePartner(db);
  await expect(addWebhook(db, { partnerId, url, allowLocal: false })).rejects.toThrow(/https/);
});
