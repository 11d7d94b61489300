import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { reportShape } from "../testing/awin-shapes.ts";
import { shapeProblems } from "../testing/shape-problems.ts";
import { startTestSandbox, type TestSandbox } from "../testing/start-test-sandbox.ts";
import { buyFirst, clickThrough, Visitor } from "../testing/visitor.ts";
import type { ReportRow } from "./report-row.ts";
import type { TransactionRow } from "./transactions.ts";

let clock = Date.parse("2026-07-10T12:00:30Z");
let test: TestSandbox;
beforeAll(async () => {
  test = await startTestSandbox({ now: () => clock });
});
afterAll(() => test.end());
beforeEach(async () => {
  clock = Date.parse("2026-07-10T12:00:30Z");
  await test.json("POST", "/control/reset");
});

const record = (more: object = {}): Promise<TransactionRow> =>
  test.json("POST", "/control/transactions", { advertiserId: 5001, salePence: 10_000, clickRef: "ref-1", ...more });
const report = async (query: Record<string, string>): Promise<ReportRow[]> => {
  const response = await test.api(`/publishers/100001/transactions/?${new URLSearchParams(query)}`);
  expect(response.status).toBe(200);
  return (await response.json()) as ReportRow[];
};
const july = { startDate: "2026-07-01T00:00:00", endDate: "2026-07-31T23:59:59", timezone: "UTC" };

describe("C2 the network's report", () => {
  it("C2 answers every documented field with the documented type, through a transaction's whole life", async () => {
    const visitor = await clickThrough(new Visitor(test), 5001, "life", "&clickref2=second");
    await buyFirst(visitor, { voucher: "FERN15" });
    const row = await record({ clickRef: "" });
    const check = async (): Promise<void> => {
      const rows = await report({ ...july, showBasketProducts: "true" });
      expect(rows).toHaveLength(2);
      expect(shapeProblems(rows, reportShape)).toEqual([]);
    };
    await check();
    await test.json("POST", `/control/transactions/${row.id}/amend`, { salePence: 5000 });
    await test.json("POST", `/control/transactions/${row.id}/approve`);
    await check();
    await test.json("POST", `/control/transactions/${row.id}/pay`);
    await test.json("POST", `/control/transactions/${row.id}/decline`, { reason: "order returned" });
    await check();
  });

  it("C2 the check itself sees a wrong type, a missing field and an extra one", async () => {
    await record();
    const [row] = await report(july);
    expect(
      shapeProblems([{ ...row, id: String(row?.id), extra: 1, paidToPublisher: undefined }], reportShape),
    ).toHaveLength(3);
  });

  it("C2 finds by ids, and says what it is", async () => {
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

  it("C2 finds by the date of sale, of validation and of amendment", async () => {
    const row = await record();
    clock = Date.parse("2026-08-20T09:00:00Z");
    await test.json("POST", `/control/transactions/${row.id}/amend`, { salePence: 4000 });
    clock = Date.parse("2026-09-25T09:00:00Z");
    await test.json("POST", `/control/transactions/${row.id}/approve`);
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

  it("C2 filters by status and advertiser", async () => {
    const row = await record();
    await record({ advertiserId: 5002 });
    await test.json("POST", `/control/transactions/${row.id}/decline`);
    expect(await report({ ...july, status: "declined" })).toHaveLength(1);
    expect(await report({ ...july, status: "pending" })).toHaveLength(1);
    expect((await report({ ...july, advertiserId: "5002" })).map((one) => one.commissionAmount.amount)).toEqual([45]);
  });

  it("C2 shows times by the zone's clocks, in whole minutes, and reads the range by them too", async () => {
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

  it.each([
    ["no dates", {}, "mandatory"],
    ["a date without a time", { startDate: "2026-07-01", endDate: "2026-07-02" }, "mandatory"],
    ["32 days", { startDate: "2026-07-01T00:00:00", endDate: "2026-08-02T00:00:00" }, "31 days"],
    ["an end before the start", { startDate: "2026-07-02T00:00:00", endDate: "2026-07-01T00:00:00" }, "before"],
    ["an unknown date type", { ...july, dateType: "payment" }, "dateType"],
    ["an unknown status", { ...july, status: "confirmed" }, "status"],
    ["an unknown time zone", { ...july, timezone: "Mars/Olympus" }, "timezone"],
    ["ids that are no numbers", { ids: "1,two" }, "ids"],
  ])("C2 refuses %s with 400 and a reason", async (_what, query, word) => {
    const response = await test.api(
      `/publishers/100001/transactions/?${new URLSearchParams(query as Record<string, string>)}`,
    );
    expect(response.status).toBe(400);
    expect(((await response.json()) as { description: string }).description).toContain(word);
  });

  it("C2 takes exactly 31 days", async () => {
    expect(await report({ startDate: "2026-07-01T00:00:00", endDate: "2026-08-01T00:00:00", timezone: "UTC" })).toEqual(
      [],
    );
  });

  it.each([
    ["no token", {}],
    ["another token", { Authorization: "Bearer nonsense" }],
    ["the token as a password", { Authorization: "Basic a-token-for-tests" }],
  ])("S1 refuses %s", async (_what, headers) => {
    expect(
      (await test.call("/awin/publishers/100001/transactions/", { headers: headers as Record<string, string> })).status,
    ).toBe(401);
  });

  it("S1 refuses another publisher's report", async () => {
    expect((await test.api("/publishers/100002/transactions/?ids=1")).status).toBe(403);
  });

  it("C2 takes the token in the address as well, as documented", async () => {
    expect((await test.call("/awin/publishers/100001/programmes?accessToken=a-token-for-tests")).status).toBe(200);
  });

  it("C2 gives programmes, commission groups and promotions as the files have them", async () => {
    const programmes = (await (await test.api("/publishers/100001/programmes")).json()) as { id: number }[];
    expect(programmes.map((one) => one.id)).toEqual([5001, 5002, 5003, 5004, 5005]);
    const groups = await (await test.api("/publishers/100001/commissiongroups?advertiserId=5002")).json();
    expect(groups).toMatchObject({
      advertiser: 5002,
      publisher: 100001,
      commissionGroups: [{ groupCode: "FIBRE", type: "fix", amount: 45 }],
    });
    const promotions = async (body: object): Promise<{ data: { promotionId: number }[]; pagination: object }> =>
      (await (
        await test.api("/publisher/100001/promotions", { method: "POST", body: JSON.stringify(body) })
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

  it("C2 counts twenty calls a minute when asked to", async () => {
    const limited = await startTestSandbox({ rateLimited: true, now: () => clock });
    const call = async (): Promise<number> => (await limited.api("/publishers/100001/programmes")).status;
    for (let count = 0; count < 20; count++) expect(await call()).toBe(200);
    expect(await call()).toBe(429);
    clock += 60_000;
    expect(await call()).toBe(200);
    await limited.end();
  });
});
