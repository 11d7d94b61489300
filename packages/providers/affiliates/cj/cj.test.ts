import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { describe, expect, test } from "vitest";
import { affiliateContract } from "../contract.testing.ts";
import { cjFeed } from "./cj-feed.ts";
import { createCjProvider } from "./cj-provider.ts";
import { cjReason } from "./cj-reason.ts";
import { readCjRecord } from "./cj-report.ts";

const utc = (text: string) => new Date(`${text}Z`);

/** A record as CJ's schema describes it, with fields that we do not use. */
const sample = {
  commissionId: "2876543210",
  originalActionId: "1987654321",
  original: true,
  actionStatus: "new",
  actionType: "advanced sale",
  actionTrackerName: "Sale",
  validationStatus: "PENDING",
  correctionReason: null,
  advertiserId: "4471",
  shopperId: "r4ND0m_token-22-chars_",
  sid: "",
  orderId: "111222333444",
  eventDate: "2026-10-20T22:09:00Z",
  postingDate: "2026-10-20T22:30:00Z",
  lockingDate: "2026-12-10T08:00:00Z",
  clickDate: "2026-10-20T22:04:00Z",
  saleAmountPubCurrency: "55.96",
  saleAmountUsd: "71.07",
  pubCommissionAmountPubCurrency: "5.59",
  reviewedStatus: "NEW",
  items: [
    {
      itemListId: "9001",
      sku: "A",
      quantity: 2,
      perItemSaleAmountPubCurrency: "22.18",
      totalCommissionPubCurrency: "4.43",
    },
    {
      itemListId: "9002",
      sku: "B",
      quantity: 1,
      perItemSaleAmountPubCurrency: "11.60",
      totalCommissionPubCurrency: "1.16",
    },
  ],
};

const read = {
  networkTransactionId: "1987654321",
  networkProgrammeId: "4471",
  clickReference: "r4ND0m_token-22-chars_",
  status: "pending" as const,
  currency: "GBP",
  saleMinor: 5596,
  commissionMinor: 559,
  parts: [
    { groupId: "9001", groupCode: null, saleMinor: 4436, commissionMinor: 443 },
    { groupId: "9002", groupCode: null, saleMinor: 1160, commissionMinor: 116 },
  ],
  paidToPublisher: false,
  paidAt: null,
  locksAt: utc("2026-12-10T08:00:00"),
  kind: "sale" as const,
  correction: { rowId: "2876543210", isOriginal: true },
  reason: null,
  orderReference: "111222333444",
  purchasedAt: utc("2026-10-20T22:09:00"),
  clickedAt: utc("2026-10-20T22:04:00"),
  validatedAt: null,
  modifiedAt: utc("2026-10-20T22:30:00"),
};
const locked = { status: "approved" as const, validatedAt: read.locksAt };
const returned = {
  ...sample,
  commissionId: "2876543999",
  original: false,
  correctionReason: "RETURNED_MERCHANDISE",
  postingDate: "2026-11-01T10:00:00Z",
  saleAmountPubCurrency: "-11.60",
  pubCommissionAmountPubCurrency: "-1.16",
  items: [
    { itemListId: "9002", quantity: 1, perItemSaleAmountPubCurrency: "-11.60", totalCommissionPubCurrency: "-1.16" },
  ],
};

const answer = (rows: readonly unknown[], { hasMore } = { hasMore: false }) =>
  Response.json({
    data: {
      publisherCommissions: {
        count: rows.length,
        payloadComplete: !hasMore,
        maxCommissionId: hasMore ? crypto.randomUUID() : null,
        records: rows,
      },
    },
  });

const options = {
  companyId: "200002",
  propertyId: "8200002",
  personalAccessToken: "secret-cj-token",
  currency: "GBP",
  reportUrl: "https://commissions.api.cj.test/query",
  clickUrl: "https://www.dpbolvw.test",
};

affiliateContract({
  name: "CJ",
  create: ({ fetch, now }) => createCjProvider({ ...options, fetch, now }),
  readLink: ({ pathname, searchParams }) => {
    const [, property, programme] = /^\/click-(\d+)-([^/]+)$/.exec(pathname) ?? [];
    expect({ references: searchParams.getAll("sid").length, property }).toEqual({ references: 1, property: "8200002" });
    return {
      networkProgrammeId: programme ?? null,
      landingUrl: searchParams.get("url"),
      reference: searchParams.get("sid"),
    };
  },
  push: { notHere: "CJ offers publishers no pushes." },
  answer,
  pages: "paged",
  cases: {
    pending: { row: sample, becomes: read },
    approved: { row: { ...sample, actionStatus: "locked" }, becomes: { ...read, ...locked } },
    "declined with a reason": {
      row: { ...sample, validationStatus: "DECLINED", correctionReason: "INVALID_CREDIT_CARD" },
      becomes: { ...read, status: "declined", reason: "card_refused" },
    },
    "declined for an unknown reason": {
      row: { ...sample, validationStatus: "DECLINED", correctionReason: "SOMETHING_NEW" },
      becomes: { ...read, status: "declined", reason: "unknown_code" },
    },
    "paid to us": {
      row: { ...sample, actionStatus: "CLOSED", validationStatus: "ACCEPTED" },
      becomes: { ...read, ...locked, paidToPublisher: true },
    },
    amended: {
      row: returned,
      becomes: {
        ...read,
        saleMinor: -1160,
        commissionMinor: -116,
        parts: [{ groupId: "9002", groupCode: null, saleMinor: -1160, commissionMinor: -116 }],
        correction: { rowId: "2876543999", isOriginal: false },
        reason: "returned",
        modifiedAt: utc("2026-11-01T10:00:00"),
      },
    },
    "without a reference": { row: { ...sample, shopperId: null }, becomes: { ...read, clickReference: null } },
    "of a lead": {
      row: { ...sample, actionType: "advanced lead", saleAmountPubCurrency: "0", items: [] },
      becomes: { ...read, saleMinor: 0, parts: [], kind: "lead" },
    },
    "in a foreign currency": { notHere: "CJ converts every amount to the currency that it pays in." },
    "in a currency without pennies": { notHere: "The currency is the account's, and is set with CJ_CURRENCY." },
    "approved item by item": { notHere: "CJ decides on an action as a whole." },
    "at a moment of daylight saving time": {
      row: { ...sample, eventDate: "2026-10-25T01:30:00Z", clickDate: "2026-10-25T00:30:00-07:00" },
      becomes: { ...read, purchasedAt: utc("2026-10-25T01:30:00"), clickedAt: utc("2026-10-25T07:30:00") },
    },
    "with amounts as text": {
      row: { ...sample, saleAmountPubCurrency: 55.96, commissionId: 2876543210, items: null },
      becomes: { ...read, parts: [] },
    },
  },
  rows: {
    "extended by the advertiser": { row: { ...sample, actionStatus: "extended" }, becomes: read },
    "with a discount of the whole order": {
      row: { ...sample, saleAmountPubCurrency: "50.00" },
      becomes: { ...read, saleMinor: 5000, parts: [] },
    },
    "that is declined without a word": {
      row: { ...sample, validationStatus: "DECLINED" },
      becomes: { ...read, status: "declined", reason: "not_given" },
    },
    "with a bonus that no item has": {
      row: { ...sample, pubCommissionAmountPubCurrency: "9.99" },
      becomes: { ...read, commissionMinor: 999, parts: [] },
    },
    "with a blank reference and order": {
      row: { ...sample, shopperId: "  ", orderId: " " },
      becomes: { ...read, clickReference: null, orderReference: null },
    },
    "that never locks": { row: { ...sample, lockingDate: null }, becomes: { ...read, locksAt: null } },
  },
  corrections: [
    {
      original: sample,
      corrections: [returned],
      becomes: {
        status: "pending",
        saleMinor: 4436,
        commissionMinor: 443,
        reason: "returned",
        networkTransactionId: "1987654321",
      },
    },
    {
      original: sample,
      corrections: [
        { ...returned, saleAmountPubCurrency: "-55.96", pubCommissionAmountPubCurrency: "-5.59", items: [] },
      ],
      becomes: { status: "declined", saleMinor: 5596, commissionMinor: 559, reason: "returned" },
    },
    {
      original: { ...sample, actionStatus: "closed" },
      corrections: [
        { ...returned, saleAmountPubCurrency: "-99.00", pubCommissionAmountPubCurrency: "-9.90", items: [] },
      ],
      becomes: { status: "declined", saleMinor: 5596, commissionMinor: 559 },
    },
    {
      original: { ...sample, actionStatus: "closed" },
      corrections: [
        {
          ...returned,
          saleAmountPubCurrency: "-55.96",
          pubCommissionAmountPubCurrency: "-5.59",
          items: [],
          actionStatus: "closed",
        },
        {
          ...returned,
          commissionId: "2876544000",
          saleAmountPubCurrency: "30.00",
          pubCommissionAmountPubCurrency: "3.00",
          items: [],
          actionStatus: "closed",
        },
      ],
      becomes: { status: "approved", saleMinor: 3000, commissionMinor: 300, paidToPublisher: true },
    },
  ],
  unreadableRow: { ...sample, pubCommissionAmountPubCurrency: "a lot" },
  secrets: ["secret-cj-token"],
  maxWindowDays: 31,
  async windowOf(request) {
    const { variables } = (await request.clone().json()) as { variables: Record<string, string> };
    return { from: new Date(variables["sincePostingDate"]!), to: new Date(variables["beforePostingDate"]!) };
  },
  feed: {
    adapter: cjFeed,
    programme: {
      record: {
        "advertiser-id": "4471",
        "advertiser-name": "Shop 4471",
        "program-url": "https://shop-4471.example/",
        "account-status": "Active",
        "relationship-status": "joined",
        "seven-day-epc": "12.34",
        actions: {
          action: [
            { id: "31", name: "Sale", type: "advanced sale", commission: { default: "7.50%" } },
            { id: "32", name: "Quote", type: "advanced lead", commission: { default: "GBP 25.50" } },
          ],
        },
      },
      becomes: {
        networkProgrammeId: "4471",
        name: "Shop 4471",
        landingUrl: "https://shop-4471.example/",
        currency: "GBP",
        status: "joined",
        description: "",
        validDomains: [],
        commissionGroups: [
          { groupId: "31", label: "Sale", kind: "percent", rateBp: 750 },
          { groupId: "32", label: "Quote", kind: "fixed", amountMinor: 2550, currency: "GBP" },
        ],
      },
    },
    promotion: {
      record: {
        "link-id": "15000001",
        "advertiser-id": "4471",
        "link-name": "10% off",
        description: "Ten per cent less.",
        destination: "https://shop-4471.example/offer",
        "promotion-type": "coupon",
        "promotion-start-date": "2026-01-01T00:00:00-08:00",
        "promotion-end-date": "ongoing",
        "coupon-code": "TEN",
      },
      becomes: {
        networkOfferId: "15000001",
        networkProgrammeId: "4471",
        kind: "code",
        title: "10% off",
        description: "Ten per cent less.",
        terms: "",
        landingUrl: "https://shop-4471.example/offer",
        startsAt: "2026-01-01T00:00:00-08:00",
        endsAt: null,
        code: "TEN",
      },
    },
  },
});

describe("C2 CJ only", () => {
  const asked = (answers: (() => Response)[]) => {
    const bodies: Record<string, unknown>[] = [];
    let next = 0;
    const provider = createCjProvider({
      ...options,
      fetch: async (input, init) => {
        const { variables } = (await new Request(input, init).json()) as { variables: Record<string, unknown> };
        bodies.push(variables);
        return answers[Math.min(next++, answers.length - 1)]!();
      },
    });
    return { provider, bodies };
  };
  const day = { from: utc("2026-11-01T00:00:00"), to: utc("2026-11-02T00:00:00") };

  test("C2 the report is asked by posting and by locking date, and records by their ids", async () => {
    const { provider, bodies } = asked([() => answer([])]);
    for (const pass of provider.passes) for await (const _page of provider.fetchTransactions({ pass, ...day }));
    await provider.fetchTransactionsById(["1", "2"]);
    expect(bodies).toEqual([
      {
        forPublishers: ["200002"],
        sincePostingDate: "2026-11-01T00:00:00Z",
        beforePostingDate: "2026-11-02T00:00:00Z",
      },
      {
        forPublishers: ["200002"],
        sinceLockingDate: "2026-11-01T00:00:00Z",
        beforeLockingDate: "2026-11-02T00:00:00Z",
      },
      { forPublishers: ["200002"], commissionIds: ["1", "2"] },
    ]);
  });

  test("C2 a page that names itself as the next is refused instead of read forever", async () => {
    const same = () =>
      Response.json({ data: { publisherCommissions: { payloadComplete: false, maxCommissionId: "7", records: [] } } });
    const { provider, bodies } = asked([same]);
    await expect(async () => {
      for await (const _page of provider.fetchTransactions({ pass: "transaction", ...day }));
    }).rejects.toThrow(NetworkUnavailableError);
    expect(bodies).toHaveLength(2);
  });

  test("C2 a query that CJ refuses with status 200 is no empty report", async () => {
    const { provider } = asked([() => Response.json({ errors: [{ message: "bad" }], data: null })]);
    await expect(provider.fetchTransactionsById(["1"])).rejects.toThrow("CJ refused a report request");
  });

  test.each([
    ["RETURNED_MERCHANDISE", "returned"],
    ["DUPLICATED_ORDER", "duplicate"],
    ["INVALID_CREDIT_CARD", "card_refused"],
    ["BAD_DEBT", "not_paid"],
    ["BANKRUPTCY", "insolvent"],
    ["CANT_SHIP_OR_SOLD_OUT", "out_of_stock"],
    ["BOOKING_CANCELED", "booking_cancelled"],
    ["UNQUALIFIED_LEAD", "unqualified"],
    ["COMPLIANCE", "not_eligible"],
    ["QUALIFIED_LEAD", "accepted_again"],
    ["OTHER_REASON", "other"],
    ["constructor", "unknown_code"],
  ] as const)("C3 CJ's reason %s is %s", (code, reason) => expect(cjReason(code)).toBe(reason));
});

test("C2 dates without an offset are UTC wherever the server stands", () => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/Los_Angeles";
  try {
    const bare = { ...sample, postingDate: "2026-11-01T10:00:00", eventDate: "2026-10-25" };
    const { modifiedAt, purchasedAt } = readCjRecord(bare, "GBP", utc("2026-11-02T00:00:00"));
    expect([modifiedAt, purchasedAt]).toEqual([utc("2026-11-01T10:00:00"), utc("2026-10-25T00:00:00")]);
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});

test("C2 amounts are in the minor units of the account's currency", () => {
  const inYen = { ...sample, saleAmountPubCurrency: "5500", pubCommissionAmountPubCurrency: "550", items: [] };
  expect(readCjRecord(inYen, "JPY", utc("2026-11-02T00:00:00"))).toMatchObject({
    ...{ currency: "JPY", saleMinor: 5_500, commissionMinor: 550 },
  });
});
