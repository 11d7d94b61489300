import { describe, expect, test } from "vitest";
import { affiliateContract } from "../contract.testing.ts";
import { createCallBudget } from "../call-budget.ts";
import { joinPages } from "../report-rows.ts";
import { awinFeed } from "./awin-feed.ts";
import { programme, promotion } from "./awin-files.testing.ts";
import { createAwinProvider } from "./awin-provider.ts";
import { reasonOfText } from "../reason-texts.ts";

const utc = (text: string) => new Date(`${text}Z`);

/** As Awin's documentation shows a transaction, with the fields we do not use. */
const sample = {
  id: 259630312,
  url: "http://www.publisher.com",
  advertiserId: 7052,
  publisherId: 189069,
  commissionSharingPublisherId: 55555,
  siteName: "Publisher",
  commissionStatus: "pending",
  commissionAmount: { amount: 5.59, currency: "GBP" },
  saleAmount: { amount: 55.96, currency: "GBP" },
  ipHash: "-8373634523454353636",
  customerCountry: "GB",
  clickRefs: { clickRef: "r4ND0m_token-22-chars_", clickRef2: "22222" },
  clickDate: "2026-02-20T22:04:00",
  transactionDate: "2026-02-20T22:09:00",
  validationDate: null,
  type: "Commission group transaction",
  declineReason: null,
  voucherCodeUsed: true,
  voucherCode: "20ABC",
  lapseTime: 300,
  amended: false,
  amendReason: null,
  oldSaleAmount: null,
  oldCommissionAmount: null,
  clickDevice: "Windows",
  transactionDevice: "Windows",
  publisherUrl: "http://www.publisher.com/search",
  advertiserCountry: "GB",
  orderRef: "111222333444",
  customParameters: [{ key: "1", value: "555666" }],
  paidToPublisher: false,
  paymentId: 0,
  transactionQueryId: 0,
  originalSaleAmount: null,
  transactionParts: [
    {
      commissionGroupId: 12345,
      amount: 44.36,
      commissionAmount: 4.43,
      commissionGroupCode: "DEFAULT",
      commissionGroupName: "Default Commission",
    },
    {
      commissionGroupId: 654321,
      amount: 11.6,
      commissionAmount: 1.16,
      commissionGroupCode: "EXISTING",
      commissionGroupName: "EXISTING",
    },
  ],
};

const read = {
  networkTransactionId: "259630312",
  networkProgrammeId: "7052",
  clickReference: "r4ND0m_token-22-chars_",
  status: "pending" as const,
  currency: "GBP",
  saleMinor: 5596,
  commissionMinor: 559,
  parts: [
    { groupId: "12345", groupCode: "DEFAULT", saleMinor: 4436, commissionMinor: 443 },
    { groupId: "654321", groupCode: "EXISTING", saleMinor: 1160, commissionMinor: 116 },
  ],
  paidToPublisher: false,
  reason: null,
  orderReference: "111222333444",
  purchasedAt: utc("2026-02-20T22:09:00"),
  clickedAt: utc("2026-02-20T22:04:00"),
  validatedAt: null,
  modifiedAt: utc("2026-02-20T22:09:00"),
};

const validated = { validatedAt: utc("2026-03-20T09:00:00"), modifiedAt: utc("2026-03-20T09:00:00") };

affiliateContract({
  name: "Awin",
  create: ({ fetch, now }) =>
    createAwinProvider({
      publisherId: "189069",
      apiToken: "secret-token",
      apiUrl: "https://api.awin.test",
      clickUrl: "https://www.awin1.test/cread.php",
      fetch,
      now,
    }),
  readLink: ({ searchParams }) => {
    expect({
      references: searchParams.getAll("clickref").length,
      landingPages: searchParams.getAll("ued").length,
      publisher: searchParams.get("awinaffid"),
    }).toEqual({ references: 1, landingPages: 1, publisher: "189069" });
    return {
      networkProgrammeId: searchParams.get("awinmid"),
      landingUrl: searchParams.get("ued"),
      reference: searchParams.get("clickref"),
    };
  },
  push: (id) => ({
    contentType: "application/x-www-form-urlencoded",
    body: new TextEncoder().encode(
      new URLSearchParams({
        AwinTransactionPush: JSON.stringify({
          transactionId: id,
          transactionDate: "2026-02-20 22:09:31",
          transactionAmount: "55.96",
          merchantId: 7052,
          clickRef: "x",
        }),
      }).toString(),
    ),
  }),
  answer: (rows) => Response.json(rows),
  pages: { notHere: "Awin answers a window of 31 days whole." },
  cases: {
    pending: { row: sample, becomes: read },
    approved: {
      row: { ...sample, commissionStatus: "approved", validationDate: "2026-03-20T09:00:00" },
      becomes: { ...read, status: "approved", ...validated },
    },
    "declined with a reason": {
      row: {
        ...sample,
        commissionStatus: "declined",
        validationDate: "2026-03-20T09:00:00",
        declineReason: "order returned",
      },
      becomes: { ...read, status: "declined", reason: "returned", ...validated },
    },
    "declined for an unknown reason": {
      row: { ...sample, commissionStatus: "declined", validationDate: "2026-03-20T09:00:00" },
      becomes: { ...read, status: "declined", reason: "not_given", ...validated },
    },
    "paid to us": {
      row: { ...sample, commissionStatus: "approved", validationDate: "2026-03-20T09:00:00", paidToPublisher: true },
      becomes: { ...read, status: "approved", paidToPublisher: true, ...validated },
    },
    amended: {
      row: { ...sample, amended: true, amendReason: "partial return" },
      becomes: { ...read, reason: "amended" },
    },
    "without a reference": { row: { ...sample, clickRefs: null }, becomes: { ...read, clickReference: null } },
    "of a lead": {
      row: {
        ...sample,
        type: "Lead",
        saleAmount: { amount: 0, currency: "GBP" },
        transactionParts: [{ ...sample.transactionParts[0], amount: 0, commissionAmount: 5.59 }],
      },
      becomes: {
        ...read,
        saleMinor: 0,
        parts: [{ groupId: "12345", groupCode: "DEFAULT", saleMinor: 0, commissionMinor: 559 }],
        kind: "lead",
      },
    },
    "in a foreign currency": {
      row: {
        ...sample,
        saleAmount: { amount: 55.96, currency: "EUR" },
        commissionAmount: { amount: 5.59, currency: "EUR" },
      },
      becomes: { ...read, currency: "EUR" },
    },
    "in a currency without pennies": {
      row: {
        ...sample,
        saleAmount: { amount: 5500, currency: "JPY" },
        commissionAmount: { amount: 550, currency: "JPY" },
        transactionParts: [],
      },
      becomes: { ...read, currency: "JPY", saleMinor: 5500, commissionMinor: 550, parts: [] },
    },
    "approved item by item": { notHere: "Awin approves a transaction as a whole; its parts have no status." },
    "at a moment of daylight saving time": {
      row: { ...sample, transactionDate: "2026-03-29T01:30:00" },
      becomes: { ...read, purchasedAt: utc("2026-03-29T01:30:00"), modifiedAt: utc("2026-03-29T01:30:00") },
    },
    "with amounts as text": {
      row: { ...sample, id: "259630312", saleAmount: { amount: "55.96", currency: "GBP" } },
      becomes: read,
    },
  },
  corrections: { notHere: "Awin changes the transaction itself." },
  secrets: ["secret-token"],
  unreadableRow: { ...sample, commissionAmount: { amount: 1, currency: "USD" } },
  maxWindowDays: 31,
  windowOf: (request) => {
    const { searchParams } = new URL(request.url);
    expect(searchParams.get("timezone")).toBe("UTC");
    return { from: utc(searchParams.get("startDate")!), to: utc(searchParams.get("endDate")!) };
  },
  feed: {
    adapter: awinFeed,
    programme: {
      record: programme(7052, {
        validDomains: [{ domain: "Shop-7052.example" }],
        commissionGroups: [
          { groupId: 1, groupName: "Everything", type: "percentage", percentage: 7.5 },
          { groupId: 2, groupName: "New customers", type: "fix", amount: 25.5, currency: "GBP" },
        ],
      }),
      becomes: {
        networkProgrammeId: "7052",
        name: "Shop 7052",
        landingUrl: "https://shop-7052.example/",
        currency: "GBP",
        status: "joined",
        description: "Sells things.",
        validDomains: ["shop-7052.example"],
        commissionGroups: [
          { groupId: "1", label: "Everything", kind: "percent", rateBp: 750 },
          { groupId: "2", label: "New customers", kind: "fixed", amountMinor: 2550, currency: "GBP" },
        ],
      },
    },
    promotion: {
      record: promotion(500012, 7052),
      becomes: {
        networkOfferId: "500012",
        networkProgrammeId: "7052",
        kind: "code",
        title: "10% off order 500012",
        description: "Ten per cent less.",
        terms: "One use.",
        landingUrl: "https://shop-7052.example/offer",
        startsAt: "2026-01-01T00:00:00+00:00",
        endsAt: "2099-01-01T00:00:00+00:00",
        code: "CODE500012",
      },
    },
  },
});

describe("C2 Awin only", () => {
  test("C2 the report is requested with the token, by kind of date and by ids", async () => {
    const requests: Request[] = [];
    const provider = createAwinProvider({
      publisherId: "189069",
      apiToken: "secret-token",
      apiUrl: "https://api.awin.test/",
      clickUrl: "https://www.awin1.test/cread.php",
      fetch: async (input, init) => {
        requests.push(new Request(input, init));
        return Response.json([]);
      },
    });
    await joinPages(
      provider.fetchTransactions({
        pass: "validation",
        from: utc("2026-11-01T00:00:00"),
        to: utc("2026-11-02T00:00:00"),
      }),
    );
    await provider.fetchTransactionsById(["1", "2"]);
    const report = "https://api.awin.test/publishers/189069/transactions/";
    expect(requests.map(({ headers, url }) => ({ authorization: headers.get("authorization"), url }))).toEqual([
      {
        authorization: "Bearer secret-token",
        url: `${report}?startDate=2026-11-01T00%3A00%3A00&endDate=2026-11-02T00%3A00%3A00&dateType=validation&timezone=UTC`,
      },
      { authorization: "Bearer secret-token", url: `${report}?ids=1%2C2&timezone=UTC` },
    ]);
  });

  test("C2 the GET form of the push, with its macros filled in, is read", () => {
    const provider = createAwinProvider({
      publisherId: "1",
      apiToken: "t",
      apiUrl: "https://a.test",
      clickUrl: "https://b.test",
    });
    const body = new TextEncoder().encode("transactionId=77&clickRef=abc");
    expect(provider.readPush({ contentType: "application/x-www-form-urlencoded", body })).toEqual({
      outcome: "read",
      networkTransactionId: "77",
    });
  });

  test.each([
    ["order returned", "returned"],
    ["order cancelled", "cancelled"],
    ["duplicate order", "duplicate"],
    ["voucher code not allowed", "voucher"],
    ["tracked by another channel", "other_site"],
    ["test order", "test"],
    ["breach of terms", "not_eligible"],
    ["Existing customer", "existing_customer"],
    ["Payment failed", "not_paid"],
    ["Item out of stock", "out_of_stock"],
    ["", "not_given"],
    ["Zzz", "unknown_code"],
    [null, "not_given"],
  ] as const)("C3 Awin's reason %j is %s", (text, reason) => expect(reasonOfText(text)).toBe(reason));

  test("C2 an end without a time is the promotion's last day", () => {
    const endOf = (end: string) => awinFeed.promotions.schema.parse(promotion(1, 1, { endDate: end })).endsAt;
    expect(endOf("2026-11-30")).toBe("2026-11-30T23:59:59");
    expect(endOf("2026-11-30T00:00:00Z")).toBe("2026-11-30T00:00:00Z");
  });

  test("C2 a budget allows a call again after its minute", () => {
    let clock = 0;
    const budget = createCallBudget({ calls: 2, perMs: 60_000, now: () => clock });
    const taken = [budget.take(), budget.take(), budget.take()];
    expect({ taken, left: budget.left(), waitMs: budget.waitMs() }).toEqual({
      taken: [true, true, false],
      left: 0,
      waitMs: 60_000,
    });
    clock = 60_000;
    expect({ left: budget.left(), isTaken: budget.take() }).toEqual({ left: 2, isTaken: true });
  });
});
