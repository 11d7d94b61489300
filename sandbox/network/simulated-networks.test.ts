import { sumRows } from "@farthing/core/networks/correction-rows.ts";
import { NetworkUnavailableError, type NetworkProvider } from "@farthing/core/networks/provider.ts";
import { cj } from "@farthing/providers/affiliates/cj/cj.ts";
import { rakuten } from "@farthing/providers/affiliates/rakuten/rakuten.ts";
import { joinPages } from "@farthing/providers/affiliates/report-rows.ts";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../testing/start-test-sandbox.ts";
import { buyFirst, Visitor } from "../testing/visitor.ts";

// The adapters against the networks that the sandbox plays, over their own protocols.

const NOW = Date.UTC(2026, 2, 28, 12);
const DAY_MS = 86_400_000;
const deployment = { isDevelopment: true, standInUrl: "http://sandbox.test" };

let sandbox: TestSandbox;
let clock = NOW;
beforeAll(async () => {
  sandbox = await startTestSandbox({ now: () => clock });
});
afterAll(() => sandbox.end());
beforeEach(async () => {
  clock = NOW;
  await sandbox.json("POST", "/control/reset");
});

const parts = () => ({
  now: () => new Date(clock),
  fetch: (async (input, init) => {
    const request = new Request(input, init);
    return sandbox.call(
      request.url,
      request.method === "GET"
        ? { headers: request.headers, signal: request.signal }
        : {
            method: request.method,
            headers: request.headers,
            signal: request.signal,
            body: await request.text(),
          },
    );
  }) as typeof fetch,
});
const networks: [string, () => NetworkProvider, string][] = [
  ["cj", () => cj.createProvider(cj.readSettings({}, deployment), parts()), "Posting"],
  ["rakuten", () => rakuten.createProvider(rakuten.readSettings({}, deployment), parts()), "Process"],
];
const scenario = (slug: string, faults: object, switches: object = {}) =>
  sandbox.json("PUT", "/control/scenario", { networks: { [slug]: { faults, switches } } });
const report = (provider: NetworkProvider) =>
  joinPages(
    provider.fetchTransactions({
      pass: "transaction",
      from: new Date(clock - 5 * DAY_MS),
      to: new Date(clock + DAY_MS),
    }),
  );
interface Sale {
  id: number;
  commission_pence: number;
}
const sell = (network: string, more: object = {}) =>
  sandbox.json<Sale>("POST", "/control/transactions", {
    network,
    advertiserId: 5001,
    salePence: 10_000,
    clickRef: "reference-of-a-click",
    push: false,
    ...more,
  });

describe.each(networks)("C2 %s in the sandbox", (slug, open) => {
  test("C2 a purchase after the adapter's link is reported with its reference, and no other network reports it", async () => {
    const provider = open();
    const link = provider.buildLink({
      networkProgrammeId: "5001",
      landingUrl: "https://www.fernhollow-boots.example/",
      reference: "my-click-reference-001",
    });
    const visitor = await new Visitor(sandbox).get(new URL(link).pathname + new URL(link).search);
    const order = await buyFirst(visitor);
    const { transactions, unreadable } = await report(provider);
    expect(unreadable).toEqual([]);
    expect(transactions).toMatchObject([
      {
        clickReference: "my-click-reference-001",
        networkProgrammeId: "5001",
        orderReference: order,
        status: "pending",
      },
    ]);
    for (const [other, openOther] of networks)
      if (other !== slug) expect((await report(openOther())).transactions).toEqual([]);
  });

  test("C2 a sale's life sums to the engine's own truth: amended, taken back after it was paid for", async () => {
    const provider = open();
    const { id } = await sell(slug);
    const truth = async () => {
      const { transactions } = await report(provider);
      return sumRows(transactions, new Date(clock))!.transaction;
    };
    expect(await truth()).toMatchObject({ saleMinor: 10_000, status: "pending" });
    clock += 3_600_000;
    const amended = await sandbox.json<Sale>("POST", `/control/transactions/${id}/amend`, { salePence: 4_000 });
    expect(await truth()).toMatchObject({ saleMinor: 4_000, commissionMinor: amended.commission_pence });
    clock += 3_600_000;
    await sandbox.json("POST", `/control/transactions/${id}/approve`);
    await sandbox.json("POST", `/control/transactions/${id}/pay`);
    clock += 3_600_000;
    await sandbox.json("POST", `/control/transactions/${id}/decline`, { reason: "order returned" });
    expect(await truth()).toMatchObject({ status: "declined" });
  });

  test("C2 more sales than a page holds arrive once each", async () => {
    for (let i = 0; i < 230; i++) await sell(slug, { orderRef: `ORDER-${i}` });
    const { transactions } = await report(open());
    expect(new Set(transactions.map(({ networkTransactionId }) => networkTransactionId)).size).toBe(230);
    expect(transactions).toHaveLength(230);
  });

  test("C2 a lead, a foreign currency and a lost reference are reported as they are", async () => {
    await sell(slug, { leadCommissionPence: 250 });
    await scenario(slug, {}, { loseClickRefs: true });
    await sell(slug);
    const { transactions } = await report(open());
    expect(transactions).toMatchObject([
      { kind: "lead", saleMinor: 0, commissionMinor: 250, clickReference: "reference-of-a-click" },
      { kind: "sale", saleMinor: 10_000, clickReference: null },
    ]);
  });

  test.each([
    ["refuse", { refuse: 1, retryAfterSeconds: 17 }, 17],
    ["fail", { fail: 1 }, null],
    ["half", { half: 1 }, null],
    ["down", { down: true }, null],
  ])("R1 with the fault %s the network is unavailable, and nothing is lost after it", async (_, faults, wait) => {
    const provider = open();
    await sell(slug);
    await report(provider); // has a token
    await scenario(slug, faults);
    const error: unknown = await report(provider).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(NetworkUnavailableError);
    expect(error).toMatchObject({ retryAfterSeconds: wait });
    await scenario(slug, { down: false });
    expect((await report(provider)).transactions).toHaveLength(1);
  });

  test("C2 a malformed row is reported and holds up no other", async () => {
    const provider = open();
    await sell(slug);
    await sell(slug, { orderRef: "OTHER-1" });
    await report(provider);
    await scenario(slug, { malform: 1 });
    const { transactions, unreadable } = await report(provider);
    expect({ read: transactions.length, unreadable: unreadable.length }).toEqual({ read: 1, unreadable: 1 });
  });

  test("C2 dates are right on both sides of the change to summer time", async () => {
    for (const at of ["2026-03-29T00:59:00.000Z", "2026-03-29T01:01:00.000Z"]) {
      clock = Date.parse(at);
      await sell(slug, { orderRef: `AT-${at.slice(14, 16)}` });
    }
    const { transactions } = await report(open());
    expect(transactions.map(({ purchasedAt }) => purchasedAt.toISOString())).toEqual([
      "2026-03-29T00:59:00.000Z",
      "2026-03-29T01:01:00.000Z",
    ]);
  });

  test("C2 the catalogue's feeds are read by the adapter's own feed schemas", async () => {
    const definition = slug === "cj" ? cj : rakuten;
    const [programmes, promotions] =
      slug === "cj" ? ["advertisers.xml", "links.xml"] : ["advertisers.json", "coupons.xml"];
    for (const [path, file] of [
      [programmes!, definition.feed!.programmes],
      [promotions!, definition.feed!.promotions],
    ] as const) {
      const address = `/${slug}/feeds/${path}`;
      const records: unknown[] = [];
      if (file.read === undefined) {
        const body = await sandbox.json<Record<string, unknown[]>>("GET", address);
        records.push(...file.lists.flatMap((list) => body[list] ?? []));
      } else {
        const answer = await sandbox.call(address);
        for await (const record of file.read(answer.body!)) {
          expect(file.lists).toContain(record.list);
          records.push(record.value);
        }
      }
      expect(records.length).toBeGreaterThan(0);
      for (const record of records) expect(file.schema.safeParse(record).error?.issues ?? []).toEqual([]);
    }
  });
});

describe("C2 pushes of several networks", () => {
  test("C2 Rakuten's push names the order that the report has, and CJ sends none", async () => {
    await sell("rakuten", { push: true, orderRef: "PUSHED-1" });
    await sell("cj", { push: true });
    const pushes = await sandbox.json<{ channel: string; body: string }[]>("GET", "/control/pushes");
    expect(pushes.map(({ channel }) => channel)).toEqual(["rakuten"]);
    const provider = rakuten.createProvider(rakuten.readSettings({}, deployment), parts());
    const reading = provider.readPush({
      contentType: "application/x-www-form-urlencoded",
      body: new TextEncoder().encode(pushes[0]!.body),
    });
    expect(reading).toEqual({ outcome: "read", networkTransactionId: "5001/PUSHED-1" });
    const { transactions } = await provider.fetchTransactionsById(["5001/PUSHED-1"]);
    expect(transactions).toHaveLength(1);
  });

  test("C2 a forged push names a sale that the report does not have", async () => {
    const { text } = await sandbox.json<{ text: string }>("POST", "/control/networks/rakuten/pushes/forge");
    const provider = rakuten.createProvider(rakuten.readSettings({}, deployment), parts());
    const reading = provider.readPush({
      contentType: "application/x-www-form-urlencoded",
      body: new TextEncoder().encode(text),
    });
    expect(reading.outcome).toBe("read");
    const id = reading.outcome === "read" ? reading.networkTransactionId : "";
    expect((await provider.fetchTransactionsById([id])).transactions).toEqual([]);
  });

  test("C2 the scenario's clock stands where it is set, and moves each network", async () => {
    const set = await sandbox.json<{ now: string; networks: Record<string, { now: string }> }>(
      "PUT",
      "/control/scenario",
      {
        clock: { at: "2026-03-29T00:59:00Z", stands: true },
        networks: { cj: { faults: { clockSkewSeconds: 90 } } },
      },
    );
    expect([set.now, set.networks["rakuten"]?.now, set.networks["cj"]?.now]).toEqual([
      "2026-03-29T00:59:00.000Z",
      "2026-03-29T00:59:00.000Z",
      "2026-03-29T01:00:30.000Z",
    ]);
    expect(
      (await sandbox.call("/control/scenario", { method: "PUT", body: '{"networks":{"nobody":{}}}' })).status,
    ).toBe(404);
    expect((await sandbox.call("/control/scenario", { method: "PUT", body: '{"clock":{"at":"soon"}}' })).status).toBe(
      400,
    );
  });
});
