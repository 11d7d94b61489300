import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestSandbox, type TestSandbox } from "../../../../sandbox/testing/start-test-sandbox.ts";
import { claimContract } from "../claims.testing.ts";
import { joinPages } from "../report-rows.ts";
import { impactFeed } from "./impact-feed.ts";
import { impact } from "./impact.ts";

const SECRET = "a-secret-token-of-impact";
const NOW = new Date("2026-11-01T09:30:00Z"); // in the night before, Los Angeles put its clocks back

let testSandbox: TestSandbox;
beforeAll(async () => {
  testSandbox = await startTestSandbox({
    now: () => NOW.getTime(),
    networks: { impact: { credentials: { authToken: SECRET } } },
  });
});
afterAll(() => testSandbox.end());

const settings = {
  ...impact.readSettings({}, { isDevelopment: true, standInUrl: "http://sandbox.test" }),
  authToken: SECRET,
};
const sandboxFetch: typeof fetch = async (input, init) => testSandbox.sandbox.fetch(new Request(input, init));
const provider = impact.createProvider(settings, { fetch: sandboxFetch, now: () => NOW });
const authorization = `Basic ${Buffer.from(`IRdevelopment:${SECRET}`).toString("base64")}`;
const reference = "r4ND0m_token-22-chars_";

const sell = (orderRef: string, more: object = {}) =>
  testSandbox.json<{ id: number }>("POST", "/control/transactions", {
    network: "impact",
    advertiserId: 5001,
    salePence: 12_345,
    clickRef: reference,
    orderRef,
    transactedAt: "2026-11-01T08:30:00Z",
    clickedAt: "2026-11-01T08:10:00Z",
    push: false,
    ...more,
  });
const move = (id: number, name: string, details: object = {}) =>
  testSandbox.json("POST", `/control/transactions/${id}/${name}`, details);
const read = async (id: number) => (await provider.fetchTransactionsById([`1000.5001.${id}`])).transactions[0];
const day = { from: new Date("2026-10-31T09:30:00Z"), to: NOW };

describe("C2 Impact in the sandbox", () => {
  test("C2 a programme's own link leads to its shop and records the click", async () => {
    const campaigns = (await (
      await testSandbox.call("/impact/Mediapartners/IRdevelopment/Campaigns", { headers: { authorization } })
    ).json()) as { Campaigns: object[] };
    const programme = impactFeed.programmes.schema.parse(campaigns.Campaigns[0]);
    const link = provider.buildLink({
      networkProgrammeId: programme.networkProgrammeId,
      programmeLink: programme.programmeLink ?? null,
      landingUrl: "https://www.fernhollow-boots.example/sale/boots?colour=red",
      reference,
    });
    const response = await testSandbox.call(link);
    const location = new URL(response.headers.get("location") ?? "");
    expect([response.status, location.pathname, location.searchParams.get("colour")]).toEqual([
      302,
      "/shops/fernhollow-boots/sale/boots",
      "red",
    ]);
    const [click] = await testSandbox.json<{ click_ref: string }[]>("GET", "/control/clicks");
    expect(click?.click_ref).toBe(reference);
  });

  test("C2 deals of the sandbox are promotions", async () => {
    const deals = (await (
      await testSandbox.call("/impact/Mediapartners/IRdevelopment/Campaigns/5001/Deals", { headers: { authorization } })
    ).json()) as { Deals: object[] };
    expect(deals.Deals.length).toBeGreaterThan(0);
    for (const deal of deals.Deals)
      expect(impactFeed.promotions.schema.parse(deal)).toMatchObject({ networkProgrammeId: "5001" });
  });

  test("C2 a sale is found by each pass as it goes on: tracked, amended, approved, paid", async () => {
    const { id } = await sell("a-sale");
    const tracked = await read(id);
    expect(tracked).toMatchObject({
      status: "pending",
      saleMinor: 12_345,
      commissionMinor: 741,
      clickReference: reference,
      orderReference: "a-sale",
      purchasedAt: new Date("2026-11-01T08:30:00Z"),
      clickedAt: new Date("2026-11-01T08:10:00Z"),
    });
    expect((await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }))).transactions).toContainEqual(
      tracked,
    );
    await move(id, "amend", { salePence: 10_000 });
    const amended = await read(id);
    expect(amended).toMatchObject({ status: "pending", saleMinor: 10_000, commissionMinor: 600, reason: "amended" });
    expect((await joinPages(provider.fetchTransactions({ pass: "update", ...day }))).transactions).toContainEqual(
      amended,
    );
    await move(id, "approve");
    const approved = await read(id);
    expect(approved).toMatchObject({ status: "approved", validatedAt: NOW, paidToPublisher: false });
    expect((await joinPages(provider.fetchTransactions({ pass: "validation", ...day }))).transactions).toContainEqual(
      approved,
    );
    await move(id, "pay");
    expect(await read(id)).toMatchObject({ status: "approved", paidToPublisher: true, paidAt: NOW });
  });

  test.each([
    ["order returned", "returned"],
    ["tracked by another channel", "other_site"],
    ["test order", "test"],
    ["a reason that nobody knows", "other"],
  ])("C3 a sale reversed for %j says why, at its full amount", async (reason, read_) => {
    const { id } = await sell(`reversed-${reason}`);
    await move(id, "decline", { reason });
    expect(await read(id)).toMatchObject({
      status: "declined",
      reason: read_,
      saleMinor: 12_345,
      commissionMinor: 741,
      validatedAt: NOW,
    });
    const { transactions } = await joinPages(provider.fetchTransactions({ pass: "update", ...day }));
    expect(transactions.filter(({ orderReference }) => orderReference === `reversed-${reason}`)).toHaveLength(1);
  });

  test("C2 a notification of the sandbox names its action", async () => {
    const { id } = await sell("pushed");
    const push = await testSandbox.json<{ text: string }>("POST", "/control/networks/impact/pushes/forge");
    expect(
      provider.readPush({ contentType: "application/x-www-form-urlencoded", body: Buffer.from(push.text) }),
    ).toEqual(expect.objectContaining({ outcome: "read" }));
    expect(await read(id)).toBeDefined();
    expect((await provider.fetchTransactionsById(["1000.5001.1"])).transactions).toEqual([]);
  });

  test("C2 the sandbox keeps Impact's rules: pages of 2,000 rows or more, windows of 45 days, credentials", async () => {
    const ask = async (query: string, headers: Record<string, string> = { authorization }) =>
      (await testSandbox.call(`/impact/Mediapartners/IRdevelopment/Actions?${query}`, { headers })).status;
    const dates = "ActionDateStart=2026-10-01T00:00:00Z&ActionDateEnd=2026-11-01T00:00:00Z";
    expect({
      smallPages: await ask(`${dates}&PageSize=1000`),
      longWindow: await ask("ActionDateStart=2026-01-01T00:00:00Z&ActionDateEnd=2026-11-01T00:00:00Z"),
      halfWindow: await ask("ActionDateStart=2026-10-01T00:00:00Z"),
      withoutCredentials: await ask(dates, {}),
      right: await ask(`${dates}&PageSize=2000`),
    }).toEqual({ smallPages: 400, longWindow: 400, halfWindow: 400, withoutCredentials: 401, right: 200 });
  });

  test("R1 half a page, a malformed row and a refusal hold up only what they must", async () => {
    const { id } = await sell("mischief");
    const faults = (set: object) =>
      testSandbox.json("PUT", "/control/scenario", { networks: { impact: { faults: set } } });
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
});

claimContract({
  name: "Impact",
  sandbox: () => testSandbox,
  create: (replaced = sandboxFetch) => impact.createProvider(settings, { fetch: replaced }).claims!,
  claim: {
    claimReference: "",
    kind: "untracked",
    networkProgrammeId: "5001",
    programmeLink: "https://shop5001.sjv.example/c/1924609/650971/5001",
    clickReference: reference,
    orderReference: "",
    purchasedAt: new Date("2026-09-10T17:42:38Z"),
    currency: "GBP",
    saleMinor: 12_345,
    expectedCommissionMinor: 741,
    notes: "The order confirmation is at hand.",
  },
  refused: { networkProgrammeId: "9999" },
  async resolve(id, decision, reason) {
    const response = await testSandbox.call("/impact/Advertisers/IRdevelopment/ActionInquiries", {
      method: "PUT",
      headers: { authorization, "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        Id: id,
        ResolutionStatus: decision === "accepted" ? "VALID" : "DECLINED",
        RejectReason: reason,
      }).toString(),
    });
    expect(response.status).toBe(200);
  },
  approvesByItself: true,
  secrets: [SECRET],
});
