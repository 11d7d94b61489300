import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { DeliveryRow } from "../deliveries/delivery-queue.ts";
import type { ReportRow } from "../network/awin/awin-report-row.ts";
import type { TransactionRow } from "../network/transactions.ts";
import { pushShape } from "../testing/awin-shapes.ts";
import { shapeProblems } from "../testing/shape-problems.ts";
import { startTestSandbox, type TestSandbox } from "../testing/start-test-sandbox.ts";
import { Visitor } from "../testing/visitor.ts";

let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox({ retryWaits: [1, 1, 1] });
});
afterAll(() => testSandbox.end());
beforeEach(async () => {
  await testSandbox.json("POST", "/control/reset");
  testSandbox.receiver.received.length = 0;
  testSandbox.receiver.answer(200);
});

const record = (more: object = {}): Promise<TransactionRow> =>
  testSandbox.json("POST", "/control/transactions", {
    advertiserId: 5001,
    salePence: 10_000,
    clickRef: "ref-1",
    push: false,
    ...more,
  });
const byId = async (id: number): Promise<ReportRow> =>
  ((await (await testSandbox.api(`/publishers/100001/transactions/?ids=${id}`)).json()) as ReportRow[])[0]!;
const press = (path: string, fields: Record<string, string> = {}): Promise<Visitor> =>
  new Visitor(testSandbox).post(path, fields);
const pushedIds = async (): Promise<unknown[]> => {
  await testSandbox.settle();
  return testSandbox.receiver.received.map((push) => push.message.transactionId);
};

describe("C3 an advertiser's decisions appear in the report", () => {
  test("C3 approve", async () => {
    const row = await record();
    const page = await press(`/network/transactions/${row.id}/approve`);
    expect(page.text).toContain(`${row.order_ref}: approved.`);
    const shown = await byId(row.id);
    expect(shown.commissionStatus).toBe("approved");
    expect(shown.validationDate).not.toBeNull();
  });

  test("C3 decline, with the chosen reason", async () => {
    const row = await record();
    await press(`/network/transactions/${row.id}/decline`, { reason: "order cancelled" });
    expect(await byId(row.id)).toMatchObject({ commissionStatus: "declined", declineReason: "order cancelled" });
  });

  test("C3 amend keeps the previous amounts", async () => {
    const row = await record();
    await press(`/network/transactions/${row.id}/amend`, { amount: "£62.50" });
    expect(await byId(row.id)).toMatchObject({
      commissionStatus: "pending",
      amended: true,
      saleAmount: { amount: 62.5 },
      commissionAmount: { amount: 3.75 },
      oldSaleAmount: { amount: 100 },
      oldCommissionAmount: { amount: 6 },
    });
  });

  test("C3 pay, and a decline after payment", async () => {
    const row = await record();
    await press(`/network/transactions/${row.id}/approve`);
    await press(`/network/transactions/${row.id}/pay`);
    expect(await byId(row.id)).toMatchObject({ paidToPublisher: true });
    await press(`/network/transactions/${row.id}/decline`, { reason: "order returned" });
    expect(await byId(row.id)).toMatchObject({ paidToPublisher: true, commissionStatus: "declined" });
  });

  test("C3 actions that a status does not allow are refused with a message and change nothing", async () => {
    const row = await record();
    await press(`/network/transactions/${row.id}/decline`);
    for (const move of ["approve", "pay", "amend"]) {
      const response = await testSandbox.call(`/control/transactions/${row.id}/${move}`, {
        method: "POST",
        body: "{}",
        headers: { "Content-Type": "application/json" },
      });
      expect(response.status).toBe(409);
    }
    expect((await press(`/network/transactions/${row.id}/approve`)).text).toContain("can&#39;t take");
    expect((await byId(row.id)).commissionStatus).toBe("declined");
    const other = await record();
    expect((await press(`/network/transactions/${other.id}/amend`, { amount: "lots" })).text).toContain(
      "needs the new amount",
    );
  });

  test("C3 a lost click reference is missing from report and push", async () => {
    const row = await record();
    await press(`/network/transactions/${row.id}/lose-clickref`);
    await press(`/network/transactions/${row.id}/push`);
    expect((await byId(row.id)).clickRefs).toBeNull();
    expect(testSandbox.receiver.received[0]?.message.clickRef).toBe("");
    await testSandbox.json("PUT", "/control/switches", { loseClickRefs: true });
    expect((await byId((await record()).id)).clickRefs).toBeNull();
  });

  test("C3 an invalid sale is refused", async () => {
    for (const body of [
      { advertiserId: 1, salePence: 5 },
      { advertiserId: 5001, salePence: 1.5 },
      { advertiserId: 5001, salePence: 5, transactedAt: "yesterday" },
    ]) {
      const response = await testSandbox.call("/control/transactions", { method: "POST", body: JSON.stringify(body) });
      expect(response.status).toBe(400);
    }
  });
});

describe("C2 pushes go wrong on request", () => {
  test("C2 a push can be sent again", async () => {
    const row = await record({ push: true });
    await press(`/network/transactions/${row.id}/push`);
    expect(await pushedIds()).toEqual([String(row.id), String(row.id)]);
  });

  test("C2 held pushes wait, and are released oldest first", async () => {
    await press("/network/pushes/hold");
    const rows = [await record({ push: true }), await record({ push: true })];
    expect(await pushedIds()).toEqual([]);
    await press("/network/pushes/release");
    expect(await pushedIds()).toEqual(rows.map((row) => String(row.id)));
    await record({ push: true });
    expect(await pushedIds()).toHaveLength(3);
  });

  test("C2 held pushes can be released newest first; without any, the latest are sent again, newest first", async () => {
    await press("/network/pushes/hold");
    const ids = [
      String((await record({ push: true })).id),
      String((await record({ push: true })).id),
      String((await record({ push: true })).id),
    ];
    await press("/network/pushes/reverse");
    expect(await pushedIds()).toEqual(ids.toReversed());
    await testSandbox.json("PUT", "/control/switches", { holdPushes: false });
    await press("/network/pushes/reverse");
    expect((await pushedIds()).slice(3)).toEqual(ids.toReversed());
  });

  test("C2 every push can be sent twice", async () => {
    await testSandbox.json("PUT", "/control/switches", { sendTwice: true });
    const row = await record({ push: true });
    expect(await pushedIds()).toEqual([String(row.id), String(row.id)]);
  });

  test("C2 a forged push looks valid and is not in the report", async () => {
    await press("/network/pushes/forge");
    const [id] = await pushedIds();
    expect(shapeProblems(testSandbox.receiver.received[0]?.message, pushShape)).toEqual([]);
    expect(await byId(Number(id))).toBeUndefined();
  });

  test("C2 a forged push has the fields that a test gives", async () => {
    await testSandbox.json("POST", "/control/pushes/forge", { clickRef: "stolen", transactionAmount: "1.00" });
    await testSandbox.settle();
    expect(testSandbox.receiver.received[0]?.message).toMatchObject({ clickRef: "stolen", transactionAmount: "1.00" });
  });

  test("C2 without the switch a failed push is not retried, because Awin documents no retry", async () => {
    testSandbox.receiver.answer(503);
    await record({ push: true });
    await testSandbox.settle();
    const [push] = await testSandbox.json<DeliveryRow[]>("GET", "/control/pushes");
    expect(push).toMatchObject({ status: "failed", http_status: 503, attempts: 1, outcome: "not now" });
  });

  test("C2 with the switch a failed push is retried until it succeeds or the attempts are used up", async () => {
    await testSandbox.json("PUT", "/control/switches", { retryFailed: true });
    testSandbox.receiver.answer(500);
    await record({ push: true });
    await expect
      .poll(async () => (await testSandbox.json<DeliveryRow[]>("GET", "/control/pushes"))[0])
      .toMatchObject({ status: "failed", attempts: 4 });
    expect(testSandbox.receiver.received).toHaveLength(4);
  });

  test("C2 an unreachable receiver is recorded like any other outcome", async () => {
    const alone = await startTestSandbox();
    await alone.receiver.close();
    await alone.json("POST", "/control/transactions", { advertiserId: 5001, salePence: 100 });
    await alone.settle();
    const [push] = await alone.json<DeliveryRow[]>("GET", "/control/pushes");
    expect(push).toMatchObject({ status: "failed", http_status: null });
    await alone.sandbox.close();
  });

  test("C2 ids are never reused, not even after a reset", async () => {
    const before = await record();
    await press("/network/reset");
    const after = await record();
    expect(after.id).toBeGreaterThan(before.id);
    expect(await testSandbox.json<unknown[]>("GET", "/control/transactions")).toHaveLength(1);
  });
});

describe("Z1 the sandbox's own pages", () => {
  test.each(["/", "/network", "/shops", "/shops?q=fern", "/mailbox"])("Z1 %s works without script", async (path) => {
    await record({ orderRef: "<script>alert(1)</script>" });
    const response = await testSandbox.call(path);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toMatch(/<script|style=|\son\w+=/);
  });

  test("Z1 a transaction offers only the actions that its status allows", async () => {
    const row = await record();
    const before = (await new Visitor(testSandbox).get("/network")).text;
    expect(before).toContain(`/network/transactions/${row.id}/approve`);
    expect(before).not.toContain(`/network/transactions/${row.id}/pay`);
    await press(`/network/transactions/${row.id}/approve`);
    const after = (await new Visitor(testSandbox).get("/network")).text;
    expect(after).not.toContain(`/network/transactions/${row.id}/approve`);
    expect(after).toContain(`/network/transactions/${row.id}/pay`);
  });
});
