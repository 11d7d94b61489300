import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { reportShape } from "../../testing/awin-shapes.ts";
import { shapeProblems } from "../../testing/shape-problems.ts";
import { startTestSandbox, type TestSandbox } from "../../testing/start-test-sandbox.ts";
import { buyFirst, clickThrough, Visitor } from "../../testing/visitor.ts";
import type { ReportRow } from "./awin-report-row.ts";
import type { TransactionRow } from "../transactions.ts";

let clock = Date.parse("2026-07-10T12:00:30Z");
let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox({ now: () => clock });
});
afterAll(() => testSandbox.end());
beforeEach(async () => {
  clock = Date.parse("2026-07-10T12:00:30Z");
  await testSandbox.json("POST", "/control/reset");
});

const record = (more: object = {}): Promise<TransactionRow> =>
  testSandbox.json("POST", "/control/transactions", {
    advertiserId: 5001,
    salePence: 10_000,
    clickRef: "ref-1",
    ...more,
  });
const report = async (query: Record<string, string>): Promise<ReportRow[]> => {
  const response = await testSandbox.api(`/publishers/100001/transactions/?${new URLSearchParams(query)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ReportRow[];
};
const july = { startDate: "2026-07-01T00:00:00", endDate: "2026-07-31T23:59:59", timezone: "UTC" };

describe("C2 the network's report", () => {
  test("C2 every documented field has the documented type, in every state of a transaction", async () => {
    const visitor = await clickThrough(new Visitor(testSandbox), 5001, "life", "&clickref2=second");
    await buyFirst(visitor, { voucher: "FERN15" });
    const row = await record({ clickRef: "" });
    const check = async (): Promise<void> => {
      const rows = await report({ ...july, showBasketProducts: "true" });
      expect(rows).toHaveLength(2);
      expect(shapeProblems(rows, reportShape)).toEqual([]);
    };
    await check();
    await testSandbox.json("POST", `/control/transactions/${row.id}/amend`, { salePence: 5000 });
    await testSandbox.json("POST", `/control/transactions/${row.id}/approve`);
    await check();
    await testSandbox.json("POST", `/control/transactions/${row.id}/pay`);
    await testSandbox.json("POST", `/control/transactions/${row.id}/decline`, { reason: "order returned" });
    await check();
  });

  test("C2 the check itself finds a wrong type, a missing field and an additional one", async () => {
    await record();
    const [row] = await report(july);
    expect(
      shapeProblems([{ ...row, id: String(row?.id), extra: 1, paidToPublisher: undefined }], reportShape),
    ).toHaveLength(3);
  });

  test("C2 the report finds transactions by ids, with their details", async () => {
    const one = await record({ orderRef: "A-1" });
    const two = await record({ orderRef: "A-2" });
    await record({ orderRef: "A-3" });
    const rows = await report({ ids: `${two.id},${one.id}` });
    expect(rows.map((row) => row.orderRef)).toEqual(["A-1", "A-2"]);
    expect(rows[0]).toMatchObject({
      commissionStatus: "pending",
      saleAmount: { amount: 100, currency: "GBP" },
      commissionAmount: { amount: 6, currency: "GBP" },
      clickRefs: { clickRef: "ref-1" },
    });
  });

  test("C2 the report finds by the date of sale, of validation and of amendment", async () => {
    const row = await record();
    clock = Date.parse("2026-08-20T09:00:00Z");
    await testSandbox.json("POST", `/control/transactions/${row.id}/amend`, { salePence: 4000 });
    clock = Date.parse("2026-09-25T09:00:00Z");
    await testSandbox.json("POST", `/control/transactions/${row.id}/approve`);
    const august = { startDate: "2026-08-10T00:00:00", endDate: "2026-08-31T00:00:00", timezone: "UTC" };
    const september = { startDate: "2026-09-01T00:00:00", endDate: "2026-09-30T00:00:00", timezone: "UTC" };
    expect(await report(july)).toHaveLength(1);
    expect(await report({ ...july, dateType: "validation" })).toHaveLength(0);
    expect(await report({ ...august, dateType: "amendment" })).toHaveLength(1);
    expect(await report({ ...september, dateType: "amendment" })).toHaveLength(0);
    const [validated] = await report({ ...september, dateType: "validation" });
    expect(validated).toMatchObject({
      commissionStatus: "approved",
      amended: true,
      oldSaleAmount: { amount: 100 },
      saleAmount: { amount: 40 },
      commissionAmount: { amount: 2.4 },
    });
  });

  test("C2 the report filters by status and advertiser", async () => {
    const row = await record();
    await record({ advertiserId: 5002 });
    await testSandbox.json("POST", `/control/transactions/${row.id}/decline`);
    expect(await report({ ...july, status: "declined" })).toHaveLength(1);
    expect(await report({ ...july, status: "pending" })).toHaveLength(1);
    expect((await report({ ...july, advertiserId: "5002" })).map((one) => one.commissionAmount.amount)).toEqual([45]);
  });

  test("C2 the report shows times in the requested zone, in whole minutes, and reads the range in that zone", async () => {
    await record();
    const [summer] = await report({
      startDate: "2026-07-10T13:00:30",
      endDate: "2026-07-10T13:00:30",
      timezone: "Europe/London",
    });
    expect(summer?.transactionDate).toBe("2026-07-10T13:00:00");
    expect(
      await report({ startDate: "2026-07-10T12:00:00", endDate: "2026-07-10T12:59:59", timezone: "Europe/London" }),
    ).toHaveLength(0);
  });

  test.each([
    ["no dates", {}, "mandatory"],
    ["a date without a time", { startDate: "2026-07-01", endDate: "2026-07-02" }, "mandatory"],
    ["32 days", { startDate: "2026-07-01T00:00:00", endDate: "2026-08-02T00:00:00" }, "31 days"],
    ["an end before the start", { startDate: "2026-07-02T00:00:00", endDate: "2026-07-01T00:00:00" }, "before"],
    ["an unknown date type", { ...july, dateType: "payment" }, "dateType"],
    ["an unknown status", { ...july, status: "confirmed" }, "status"],
    ["an unknown time zone", { ...july, timezone: "Mars/Olympus" }, "timezone"],
    ["ids that are no numbers", { ids: "1,two" }, "ids"],
  ])("C2 refuses %s with 400 and a reason", async (_what, query, word) => {
    const response = await testSandbox.api(
      `/publishers/100001/transactions/?${new URLSearchParams(query as Record<string, string>)}`,
    );
    expect(response.status).toBe(400);
    expect(((await response.json()) as { description: string }).description).toContain(word);
  });

  test("C2 the report accepts exactly 31 days", async () => {
    expect(await report({ startDate: "2026-07-01T00:00:00", endDate: "2026-08-01T00:00:00", timezone: "UTC" })).toEqual(
      [],
    );
  });

  test.each([
    ["no token", {}],
    ["another token", { Authorization: "Bearer nonsense" }],
    ["the token as a password", { Authorization: "Basic a-token-for-tests" }],
  ])("S1 refuses %s", async (_what, headers) => {
    expect(
      (await testSandbox.call("/awin/publishers/100001/transactions/", { headers: headers as Record<string, string> }))
        .status,
    ).toBe(401);
  });

  test("S1 another publisher's report is refused", async () => {
    expect((await testSandbox.api("/publishers/100002/transactions/?ids=1")).status).toBe(403);
  });

  test("C2 the token is also accepted in the address, as documented", async () => {
    expect((await testSandbox.call("/awin/publishers/100001/programmes?accessToken=a-token-for-tests")).status).toBe(
      200,
    );
  });

  test("C2 programmes, commission groups and promotions are those of the files", async () => {
    const programmes = (await (await testSandbox.api("/publishers/100001/programmes")).json()) as { id: number }[];
    expect(programmes.map((one) => one.id)).toEqual([5001, 5002, 5003, 5004, 5005]);
    const groups = await (await testSandbox.api("/publishers/100001/commissiongroups?advertiserId=5002")).json();
    expect(groups).toMatchObject({
      advertiser: 5002,
      publisher: 100001,
      commissionGroups: [{ groupCode: "FIBRE", type: "fix", amount: 45 }],
    });
    const promotions = async (body: object): Promise<{ data: { promotionId: number }[]; pagination: object }> =>
      (await (
        await testSandbox.api("/publisher/100001/promotions", { method: "POST", body: JSON.stringify(body) })
      ).json()) as never;
    expect((await promotions({})).data.map((one) => one.promotionId)).toEqual([1, 2, 6, 5]);
    expect(
      await promotions({ filters: { type: "voucher", advertiserIds: [5001] }, pagination: { page: 2, pageSize: 1 } }),
    ).toMatchObject({
      data: [{ promotionId: 2 }],
      pagination: { page: 2, pageSize: 1, total: 2 },
    });
    expect((await promotions({ filters: { status: "upcoming" } })).data.map((one) => one.promotionId)).toEqual([4]);
  });

  test("C2 with the limit on, twenty calls a minute are allowed", async () => {
    const limited = await startTestSandbox({ rateLimited: true, now: () => clock });
    const call = async (): Promise<number> => (await limited.api("/publishers/100001/programmes")).status;
    for (let count = 0; count < 20; count++) expect(await call()).toBe(200);
    expect(await call()).toBe(429);
    clock += 60_000;
    expect(await call()).toBe(200);
    await limited.end();
  });
});
