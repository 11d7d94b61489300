import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { describe, expect, test } from "vitest";
import { PUSH_SECRET, push, pushOf, testNetwork } from "./networks.testing.ts";

const { db, pool } = await testDatabase();
const { webhooks, send, events, confirm, sold } = testNetwork({ db, pool });

describe("C2 receiving a push", () => {
  test.each([
    ["a wrong secret", { secret: "wrong" }],
    ["a longer secret", { secret: `${PUSH_SECRET}x` }],
    ["another network", { network: "cj" }],
    ["an object's own words", { network: "constructor" }],
  ])("S1 %s is 404, and nothing is stored", async (_, options) => {
    const response = await send(push({ transactionId: 1 }), options);
    expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
      status: 404,
      type: "application/problem+json",
    });
    expect(await events()).toEqual([]);
  });

  test("S2 a body beyond the limit is refused, also without Content-Length", async () => {
    expect((await send("x".repeat(70_000))).status).toBe(413);
    const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(30_000).fill(120)) });
    expect(
      (
        await webhooks.request(`http://club.test/webhooks/awin/${PUSH_SECRET}`, {
          method: "POST",
          body: endless,
          headers: { "content-type": "application/x-www-form-urlencoded" },
          duplex: "half",
        } as RequestInit)
      ).status,
    ).toBe(413);
    expect((await send("x".repeat(70_000), { method: "GET" })).status).toBe(414);
    expect(await events()).toEqual([]);
  });

  test("C2 a push is stored unchanged before it is answered, and a copy changes nothing", async () => {
    const { sale } = await sold();
    const body = pushOf(sale);
    const answers = await Promise.all([send(body), send(body), send(body)]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200]);
    const kept = await db.selectFrom("network_events").select(["raw", "status"]).execute();
    expect(kept.map(({ raw, status }) => [raw.toString(), status])).toEqual([[body, "received"]]);
  });

  test.each([
    ["no JSON", "AwinTransactionPush={"],
    ["nothing", ""],
    ["no id", "AwinTransactionPush=%7B%7D"],
    ["NUL bytes", "AwinTransactionPush=%00%00"],
    ["an id that is not a number", push({ transactionId: "1; drop table" })],
  ])("S2 %s is stored as unreadable and answered", async (_, body) => {
    expect((await send(body)).status).toBe(200);
    expect(await events()).toMatchObject([{ status: "unreadable", network_transaction_id: null }]);
    expect(await confirm()).toBe(0);
  });

  test("C2 the GET form works too", async () => {
    expect((await send("transactionId=123&clickRef=abc", { method: "GET" })).status).toBe(200);
    expect(await events()).toMatchObject([{ status: "received", network_transaction_id: "123" }]);
  });
});
