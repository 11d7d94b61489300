import { createServer, request as httpRequest, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { StoredEvent } from "@farthing/core/telemetry/sink.ts";
import { newId } from "@farthing/db/uuid.ts";
import { exportBatch } from "@farthing/core/telemetry/exporter.server.ts";
import { telemetryReaderContract } from "@farthing/core/telemetry/telemetry-reader-contract.testing.ts";
import { recordEvents, telemetryEvent, untilEnded } from "@farthing/core/telemetry/telemetry.testing.ts";
import { eraseTelemetryOf } from "@farthing/core/telemetry/erasures.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { installedClickhouse } from "./clickhouse-server.testing.ts";
import { clickhouseSink } from "./clickhouse-sink.ts";

const clickhouse = await installedClickhouse();
const reason = clickhouse
  ? ""
  : " (left out: clickhouse-server is not installed; Debian: apt-get install clickhouse-server)";

describe.skipIf(!clickhouse)(`T3 a copy in ClickHouse${reason}`, async () => {
  const server = clickhouse!;
  const { db } = await testDatabase();
  const now = new Date("2026-10-05T12:00:00Z");
  // A suite that is left out is read all the same.
  const sink = clickhouseSink({ url: `${clickhouse?.url ?? "http://127.0.0.1"}/default` });
  beforeAll(async () => {
    await server.start();
    await sink.open();
    await sink.open();
  }, 60_000);
  afterAll(async () => {
    await sink.close();
    await server.stop();
  });

  /** Copies until nothing is new, also what failed. */
  async function copyAll(to = sink): Promise<void> {
    await untilEnded(db);
    while ((await exportBatch(db, to, { now, maxRows: 1_000 })).outcome === "sent");
  }

  const ask = async (query: string) =>
    (await (await fetch(`${server.url}/?query=${encodeURIComponent(query)}`)).text()).trim();
  const counts = async () => (await ask("select count(), uniqExact(id) from telemetry_events")).split("\t").map(Number);
  const stored = async () =>
    Number(
      (await sql<{ count: number }>`select count(*)::int as count from telemetry_events`.execute(db)).rows[0]?.count,
    );

  telemetryReaderContract("ClickHouse", { db, read: () => sink, settle: () => copyAll() });

  test("T3 an event is copied with all that it has", async () => {
    const { id: brandId } = await insertBrand(db);
    const odd = `tab \t quote ' " backslash \\ line \n Ünï 🥾`;
    const event = telemetryEvent("RetailerPage", odd, {
      userId: "u".repeat(22),
      pageLoadedAt: new Date("2026-10-05T11:59:58.765Z"),
      extraFields: JSON.stringify({ odd }),
    });
    await recordEvents(db, brandId, [event], now);
    await copyAll();
    const row = JSON.parse(
      await ask(`select * from telemetry_events where brand_id = '${brandId}' format JSONEachRow`),
    ) as Record<string, unknown>;
    expect(row).toMatchObject({
      subject: odd,
      user_id: "u".repeat(22),
      received_on: "2026-10-05",
      london_day: "2026-10-05",
      session_id: "session-1",
      event_type: "RetailerPage",
    });
    expect([
      Number(row["received_ms"]),
      Number(row["page_loaded_ms"]),
      JSON.parse(row["extra_fields"] as string),
    ]).toEqual([now.getTime(), Date.parse("2026-10-05T11:59:58.765Z"), { odd }]);
  });

  test("T3 ClickHouse killed in the middle of a batch, and batches whose answer is lost: no row is lost or doubled", async () => {
    const { id: brandId } = await insertBrand(db);
    const page = (index: number) => telemetryEvent("OfferPage", `offer-${index}-${"x".repeat(80)}`);
    for (const day of ["2026-10-03", "2026-10-04"])
      for (let part = 0; part < 3; part++)
        await recordEvents(
          db,
          brandId,
          Array.from({ length: 900 }, (_, index) => page(index)),
          new Date(`${day}T12:00:00Z`),
        );
    await untilEnded(db);
    const proxy = await cuttingProxy(server.url);
    const through = clickhouseSink({ url: `${proxy.url}/default` });
    // Half of the request arrives; then the server dies.
    proxy.cut = "request";
    proxy.onCut = () => server.kill();
    await expect(exportBatch(db, through, { now, maxRows: 1_000 })).rejects.toThrow(/socket|ECONN|EPIPE/i);
    await server.start();
    // The batch is stored, and its answer gets lost.
    proxy.cut = "answer";
    proxy.onCut = async () => {};
    await expect(exportBatch(db, through, { now, maxRows: 1_000 })).rejects.toThrow(/socket|ECONN|EPIPE/i);
    proxy.cut = null;
    await copyAll(through);
    const total = await stored();
    expect(total).toBeGreaterThanOrEqual(5_400);
    expect(await counts()).toEqual([total, total]);
    await through.close();
    await proxy.close();
  }, 120_000);

  test("T3 a batch of which a day is missing is sent again, and the day that is there is not doubled", async () => {
    const inDay = (day: string) => ask(`select count() from telemetry_events where received_on = '${day}'`);
    const event = (index: number, receivedOn: string): StoredEvent => ({
      ...{
        id: newId(),
        receivedOn,
        day: receivedOn,
        receivedAt: Date.parse(receivedOn),
        brandId: newId(),
        eventType: "OfferPage",
      },
      ...{ userId: null, sessionId: "s", affinityId: "a", subject: `o${index}`, pageLoadedAt: null, extraFields: null },
    });
    const events = Array.from({ length: 100 }, (_, index) =>
      event(index, index % 2 === 0 ? "2026-10-10" : "2026-10-11"),
    );
    const batch = { number: 9_000_000_000, events };
    await sink.write(batch);
    await sink.write(batch);
    await sink.dropBefore("2026-10-11");
    expect([await inDay("2026-10-10"), await inDay("2026-10-11")]).toEqual(["0", "50"]);
    await sink.write(batch);
    expect([await inDay("2026-10-10"), await inDay("2026-10-11")]).toEqual(["50", "50"]);
  });

  test("M5 events of a member who left go, of days before the limit too; others stay", async () => {
    const { id: brandId } = await insertBrand(db);
    const [gone, kept] = ["g".repeat(22), "k".repeat(22)];
    await recordEvents(
      db,
      brandId,
      [gone, kept].map((userId) => telemetryEvent("OfferPage", "x", { userId })),
      now,
    );
    await recordEvents(db, brandId, [telemetryEvent("OfferPage", "old")], new Date("2026-09-01T12:00:00Z"));
    await copyAll();
    await sink.erase([gone]);
    await sink.dropBefore("2026-10-01");
    const left = async () => await ask(`select subject, user_id from telemetry_events where brand_id = '${brandId}'`);
    // ClickHouse deletes in the background.
    while ((await left()) !== `x\t${kept}`) expect(await left()).toContain(kept);
    await eraseTelemetryOf(db, { brandId, userIds: [gone] });
  }, 60_000);
});

/** A proxy that breaks an insert on its way: in the middle of the request, or after the server has done it. */
async function cuttingProxy(target: string) {
  const { hostname, port } = new URL(target);
  const proxy = {
    url: "",
    cut: null as "request" | "answer" | null,
    onCut: async (): Promise<void> => {},
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
  const server: Server = createServer((request, response) => {
    const cut = /insert/i.test(decodeURIComponent(request.url ?? "")) ? proxy.cut : null;
    const { method, url: path, headers } = request;
    const onward = httpRequest({ hostname, port, method, path, headers, agent: false }, (answer) => {
      if (cut === "answer") answer.resume().on("end", () => request.socket.destroy());
      else answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers));
    });
    onward.on("error", () => request.socket.destroy());
    if (cut !== "request") return request.pipe(onward);
    const parts: Buffer[] = [];
    return request
      .on("data", (part: Buffer) => parts.push(part))
      .on("end", () => {
        const body = Buffer.concat(parts);
        onward.write(body.subarray(0, body.length / 2), () => void proxy.onCut());
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
