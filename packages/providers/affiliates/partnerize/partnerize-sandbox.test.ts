import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../../../sandbox/testing/start-test-sandbox.ts";
import { claimContract } from "../claims.testing.ts";
import { joinPages } from "../report-rows.ts";
import { partnerizeFeed } from "./partnerize-feed.ts";
import { partnerize } from "./partnerize.ts";

const SECRET = "a-secret-key-of-partnerize";
const NOW = new Date("2026-03-29T01:30:00Z"); // London's clocks have just gone forward

let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox({
    now: () => NOW.getTime(),
    networks: { partnerize: { credentials: { userApiKey: SECRET } } },
  });
});
afterAll(() => testSandbox.end());

const settings = {
  ...partnerize.readSettings({}, { isDevelopment: true, standInUrl: "http://sandbox.test" }),
  userApiKey: SECRET,
};
const sandboxFetch: typeof fetch = async (input, init) => testSandbox.sandbox.fetch(new Request(input, init));
const provider = partnerize.createProvider(settings, { fetch: sandboxFetch, now: () => NOW });
const authorization = `Basic ${Buffer.from(`development-application-key:${SECRET}`).toString("base64")}`;
const reference = "r4ND0m_token-22-chars_";

const sell = (orderRef: string, more: object = {}) =>
  testSandbox.json<{ id: number }>("POST", "/control/transactions", {
    network: "partnerize",
    advertiserId: 5001,
    salePence: 12_345,
    clickRef: reference,
    orderRef,
    transactedAt: "2026-03-29T00:59:59Z",
    clickedAt: "2026-03-29T00:10:00Z",
    ...more,
  });
const move = (id: number, name: string, details: object = {}) =>
  testSandbox.json("POST", `/control/transactions/${id}/${name}`, details);
const read = async (id: number) => (await provider.fetchTransactionsById([`111111l${id}-2026-03-29`])).transactions[0];
const day = { from: new Date("2026-03-28T01:30:00Z"), to: NOW };
const user = (path: string) =>
  testSandbox.call(`/partnerize/user/publisher/1l1000001/${path}`, { headers: { authorization } });

describe("C2 Partnerize in the sandbox", () => {
  test("C2 a campaign's own link leads to its shop and records the click", async () => {
    const { campaigns } = (await (await user("campaign/a")).json()) as { campaigns: object[] };
    const programme = partnerizeFeed.programmes.schema.parse(campaigns[0]);
    const link = provider.buildLink({
      networkProgrammeId: programme.networkProgrammeId,
      programmeLink: programme.programmeLink ?? null,
      landingUrl: "https://www.fernhollow-boots.example/sale/boots?colour=red&a=/pubref:x",
      reference,
    });
    const response = await testSandbox.call(link);
    const location = new URL(response.headers.get("location") ?? "");
    expect([
      response.status,
      location.pathname,
      location.searchParams.get("colour"),
      location.searchParams.get("a"),
    ]).toEqual([302, "/shops/fernhollow-boots/sale/boots", "red", "/pubref:x"]);
    const [click] = await testSandbox.json<{ click_ref: string }[]>("GET", "/control/clicks");
    expect(click?.click_ref).toBe(reference);
  });

  test("C2 vouchers of the sandbox are promotions", async () => {
    const { voucher_codes } = (await (await user("campaign/1111l5001/voucher")).json()) as { voucher_codes: object[] };
    expect(voucher_codes.length).toBeGreaterThan(0);
    for (const voucher of voucher_codes)
      expect(partnerizeFeed.promotions.schema.parse(voucher)).toMatchObject({ networkProgrammeId: "1111l5001" });
  });

  test("C2 a sale is found by each pass as it goes on: tracked, an item rejected, approved, paid", async () => {
    const { id } = await sell("a-sale");
    const tracked = await read(id);
    expect(tracked).toMatchObject({
      networkProgrammeId: "1111l5001",
      status: "pending",
      saleMinor: 12_345,
      commissionMinor: 741,
      clickReference: reference,
      orderReference: "a-sale",
      purchasedAt: new Date("2026-03-29T00:59:59Z"),
      clickedAt: new Date("2026-03-29T00:10:00Z"),
    });
    expect((await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }))).transactions).toContainEqual(
      tracked,
    );
    await move(id, "amend", { salePence: 10_000 });
    const amended = await read(id);
    expect(amended).toMatchObject({ status: "pending", saleMinor: 10_000, commissionMinor: 600, reason: "amended" });
    expect((await joinPages(provider.fetchTransactions({ pass: "amendment", ...day }))).transactions).toContainEqual(
      amended,
    );
    await move(id, "approve");
    const approved = await read(id);
    expect(approved).toMatchObject({ status: "approved", saleMinor: 10_000, validatedAt: NOW, paidToPublisher: false });
    expect((await joinPages(provider.fetchTransactions({ pass: "validation", ...day }))).transactions).toContainEqual(
      approved,
    );
    await move(id, "pay");
    expect(await read(id)).toMatchObject({ status: "approved", paidToPublisher: true, paidAt: NOW });
  });

  test("C3 a rejected sale says why, at its full amount", async () => {
    const { id } = await sell("rejected");
    await move(id, "decline", { reason: "tracked by another channel" });
    expect(await read(id)).toMatchObject({
      status: "declined",
      reason: "other_site",
      saleMinor: 12_345,
      commissionMinor: 741,
    });
  });

  test("C2 every page of a long report is read, each conversion once", async () => {
    for (let i = 0; i < 610; i += 1) await sell(`long-${i}`, { transactedAt: "2026-03-20T10:00:00Z" });
    const window = { from: new Date("2026-03-20T10:00:00Z"), to: new Date("2026-03-20T10:00:00Z") };
    const sizes: number[] = [];
    const orders = new Set<string | null>();
    for await (const page of provider.fetchTransactions({
      pass: "transaction",
      ...window,
      to: new Date("2026-03-20T10:00:01Z"),
    })) {
      sizes.push(page.transactions.length);
      for (const { orderReference } of page.transactions) orders.add(orderReference);
    }
    expect({ sizes, orders: orders.size }).toEqual({ sizes: [300, 300, 10], orders: 610 });
  });

  test("R1 half a page, a malformed row and a refusal hold up only what they must", async () => {
    const { id } = await sell("mischief");
    const faults = (set: object) =>
      testSandbox.json("PUT", "/control/scenario", { networks: { partnerize: { faults: set } } });
    await faults({ half: 1 });
    await expect(read(id)).rejects.toThrow("could not be read");
    await faults({ malform: 1 });
    const { transactions, unreadable } = await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(unreadable).toHaveLength(1);
    expect(transactions.length).toBeGreaterThan(1);
    await faults({ refuse: 1, retryAfterSeconds: 7 });
    await expect(read(id)).rejects.toMatchObject({ retryAfterSeconds: 7 });
    expect(await read(id)).toBeDefined();
  });

  test("S1 without both keys, and for another publisher, nothing is shown", async () => {
    const ask = async (publisher: string, headers: Record<string, string>) =>
      (await testSandbox.call(`/partnerize/user/publisher/${publisher}/campaign/a`, { headers })).status;
    expect([await ask("1l1000001", {}), await ask("1l9", { authorization })]).toEqual([401, 403]);
  });
});

claimContract({
  name: "Partnerize",
  sandbox: () => testSandbox,
  create: (replaced = sandboxFetch) => partnerize.createProvider(settings, { fetch: replaced }).claims!,
  claim: {
    claimReference: "",
    kind: "untracked",
    networkProgrammeId: "1111l5001",
    programmeLink: "https://prf.hn/click/camref:1011l5001",
    clickReference: reference,
    orderReference: "",
    purchasedAt: new Date("2026-03-10T17:42:38Z"),
    currency: "GBP",
    saleMinor: 12_345,
    expectedCommissionMinor: 741,
    notes: "The order confirmation is at hand.",
  },
  refused: { programmeLink: "https://prf.hn/click/camref:1011l9999" },
  async resolve(id, decision, notes) {
    const response = await testSandbox.call(`/partnerize/user/publisher/1l1000001/tq/${id}/state`, {
      method: "POST",
      headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ state: decision === "accepted" ? "approved" : "rejected", notes }).toString(),
    });
    expect(response.status).toBe(200);
  },
  approvesByItself: false,
  secrets: [SECRET],
});
