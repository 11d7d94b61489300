import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { describe, expect, test } from "vitest";
import { affiliateContract } from "../contract.testing.ts";
import { joinPages } from "../report-rows.ts";
import { partnerizeFeed } from "./partnerize-feed.ts";
import { campaign, partnerizeCredentials, report, voucher } from "./partnerize-files.testing.ts";
import { createPartnerizeProvider } from "./partnerize-provider.ts";
import { reasonOfText } from "../reason-texts.ts";

const utc = (text: string) => new Date(`${text.replace(" ", "T")}Z`);
const NOW = utc("2026-11-20 12:00:00");

const item = {
  conversion_item_id: "111111l314",
  sku: 123,
  category: "Shoes",
  item_value: 100,
  item_publisher_commission: 9.5,
  item_status: "pending",
  item_status_id: 1,
  last_update: "2026-03-08 17:20:00",
  publisher_self_bill_id: null,
  approved_at: null,
  reject_reason: null,
  voucher_codes: [],
  payable: false,
};
const socks = { ...item, conversion_item_id: "111111l315", item_value: 20.55, item_publisher_commission: 1.03 };

/** As Partnerize's documentation shows a conversion, with the fields we do not use. */
const data = {
  conversion_id: "111111l314",
  campaign_id: "111111l29",
  publisher_id: "111111l92",
  conversion_time: "2026-03-08 17:18:33",
  creative_type: 0,
  currency: "GBP",
  publisher_reference: "r4ND0m_token-22-chars_",
  advertiser_reference: "",
  conversion_reference: "AUTO-5ebc127cb2ddf3.85382959",
  customer_type: null,
  last_modified: "2026-03-08 17:20:00",
  conversion_type: 1,
  country: "GB",
  campaign_title: "Shop",
  click: { type: "standard", set_time: "2026-03-08 17:01:02", publisher_reference: "r4ND0m_token-22-chars_" },
  conversion_value: { conversion_status: "pending", value: 120.55, publisher_commission: 10.53 },
  conversion_items: [item, socks],
  was_disputed: false,
  conversion_lag: 0,
  clickref: "111111lfo",
};

const conversion = (different: object = {}) => ({ conversion_data: { ...data, ...different } });
const part = (saleMinor: number, commissionMinor: number) => ({
  groupId: null,
  groupCode: null,
  saleMinor,
  commissionMinor,
});

const read = {
  networkTransactionId: "111111l314-2026-03-08",
  networkProgrammeId: "111111l29",
  clickReference: "r4ND0m_token-22-chars_",
  status: "pending" as const,
  currency: "GBP",
  saleMinor: 12_055,
  commissionMinor: 1_053,
  parts: [part(10_000, 950), part(2_055, 103)],
  paidToPublisher: false,
  paidAt: null,
  kind: "sale" as const,
  reason: null,
  orderReference: "AUTO-5ebc127cb2ddf3.85382959",
  purchasedAt: utc("2026-03-08 17:18:33"),
  clickedAt: utc("2026-03-08 17:01:02"),
  validatedAt: null,
  modifiedAt: utc("2026-03-08 17:20:00"),
};

const approved = {
  item_status: "approved",
  approved_at: "2026-04-20 08:00:00",
  last_update: "2026-04-20 08:00:00",
};
const rejected = { item_status: "rejected", reject_reason: "Item returned", last_update: "2026-04-21 09:00:00" };
const validated = { validatedAt: utc("2026-04-20 08:00:00"), modifiedAt: utc("2026-04-20 08:00:00") };
const paid = { payment_status: "paid", self_bill_release_date: "2026-05-30 00:00:00", publisher_self_bill_id: 7 };

affiliateContract({
  name: "Partnerize",
  create: ({ fetch, now }) => createPartnerizeProvider({ ...partnerizeCredentials, fetch, now }),
  programmeLink: (id) => `https://prf.hn/click/camref:${id}`,
  readLink: ({ origin, pathname, search }) => {
    expect({ origin, search }).toEqual({ origin: "https://prf.test", search: "" });
    const pairs = pathname
      .split("/")
      .slice(2)
      .map((pair) => pair.split(":"));
    expect(pairs.map(([name]) => name)).toEqual(["camref", "pubref", "destination"]);
    const [camref, pubref, destination] = pairs.map(([, ...rest]) => decodeURIComponent(rest.join(":")));
    return { networkProgrammeId: camref!, landingUrl: destination!, reference: pubref! };
  },
  push: { notHere: "Partnerize documents no notification of publishers; its report is polled." },
  answer: (rows, page) => report(rows, page?.hasMore ? { cursor: crypto.randomUUID() } : {}),
  pages: "paged",
  cases: {
    pending: { row: conversion(), becomes: read },
    approved: {
      row: conversion({ conversion_items: [item, socks].map((one) => ({ ...one, ...approved })) }),
      becomes: { ...read, status: "approved", ...validated },
    },
    "declined with a reason": {
      row: conversion({ conversion_items: [item, socks].map((one) => ({ ...one, ...rejected })) }),
      becomes: {
        ...read,
        status: "declined",
        reason: "returned",
        validatedAt: utc("2026-04-21 09:00:00"),
        modifiedAt: utc("2026-04-21 09:00:00"),
      },
    },
    "declined for an unknown reason": {
      row: conversion({ conversion_items: [{ ...item, ...rejected, reject_reason: "Zzz" }] }),
      becomes: {
        ...read,
        status: "declined",
        reason: "unknown_code",
        saleMinor: 10_000,
        commissionMinor: 950,
        parts: [part(10_000, 950)],
        validatedAt: utc("2026-04-21 09:00:00"),
        modifiedAt: utc("2026-04-21 09:00:00"),
      },
    },
    "paid to us": {
      row: conversion({ conversion_items: [item, socks].map((one) => ({ ...one, ...approved, ...paid })) }),
      becomes: {
        ...read,
        status: "approved",
        paidToPublisher: true,
        paidAt: utc("2026-05-30 00:00:00"),
        ...validated,
      },
    },
    amended: {
      row: conversion({ conversion_items: [item, { ...socks, ...rejected }] }),
      becomes: {
        ...read,
        reason: "amended",
        saleMinor: 10_000,
        commissionMinor: 950,
        parts: [part(10_000, 950)],
        modifiedAt: utc("2026-04-21 09:00:00"),
      },
    },
    "without a reference": {
      row: conversion({ publisher_reference: "", click: { set_time: data.click.set_time, publisher_reference: "" } }),
      becomes: { ...read, clickReference: null },
    },
    "of a lead": {
      row: conversion({ conversion_items: [{ ...item, item_value: 0, item_publisher_commission: 12.5 }] }),
      becomes: { ...read, kind: "lead", saleMinor: 0, commissionMinor: 1_250, parts: [part(0, 1_250)] },
    },
    "in a foreign currency": { row: conversion({ currency: "EUR" }), becomes: { ...read, currency: "EUR" } },
    "in a currency without pennies": {
      row: conversion({
        currency: "JPY",
        conversion_items: [{ ...item, item_value: 5500, item_publisher_commission: 220 }],
      }),
      becomes: { ...read, currency: "JPY", saleMinor: 5500, commissionMinor: 220, parts: [part(5500, 220)] },
    },
    "approved item by item": {
      row: conversion({
        conversion_items: [
          { ...item, ...approved },
          { ...socks, ...rejected },
        ],
      }),
      becomes: {
        ...read,
        status: "approved",
        reason: "amended",
        saleMinor: 10_000,
        commissionMinor: 950,
        parts: [part(10_000, 950)],
        validatedAt: utc("2026-04-20 08:00:00"),
        modifiedAt: utc("2026-04-21 09:00:00"),
      },
    },
    "at a moment of daylight saving time": {
      // London has no 01:30 on this night. Reports are asked for in UTC, which has.
      row: conversion({ conversion_time: "2026-03-29 01:30:00", last_modified: "2026-03-29 01:30:00" }),
      becomes: {
        ...read,
        networkTransactionId: "111111l314-2026-03-29",
        purchasedAt: new Date(Date.UTC(2026, 2, 29, 1, 30)),
        modifiedAt: new Date(Date.UTC(2026, 2, 29, 1, 30)),
      },
    },
    "with amounts as text": {
      row: conversion({
        conversion_items: [{ ...item, item_value: "90071992547409.91", item_publisher_commission: "9.50" }],
      }),
      becomes: {
        ...read,
        saleMinor: 9_007_199_254_740_991,
        commissionMinor: 950,
        parts: [part(9_007_199_254_740_991, 950)],
      },
    },
  },
  rows: {
    "approved for one item while another waits": {
      row: conversion({ conversion_items: [{ ...item, ...approved }, socks] }),
      becomes: { ...read, modifiedAt: utc("2026-04-20 08:00:00") },
    },
    "paid for one item only": {
      row: conversion({
        conversion_items: [
          { ...item, ...approved, ...paid },
          { ...socks, ...approved },
        ],
      }),
      becomes: { ...read, status: "approved", ...validated },
    },
    "paid, said of the conversion": {
      row: conversion({
        ...paid,
        conversion_items: [item, socks].map((one) => ({ ...one, ...approved })),
      }),
      becomes: {
        ...read,
        status: "approved",
        paidToPublisher: true,
        paidAt: utc("2026-05-30 00:00:00"),
        ...validated,
      },
    },
    "without items": {
      row: conversion({ conversion_items: [] }),
      becomes: { ...read, parts: [part(12_055, 1_053)] },
    },
    "with the reference of the click only": { row: conversion({ publisher_reference: null }), becomes: read },
    "with a zero date": {
      row: conversion({ last_modified: "0000-00-00 00:00:00" }),
      becomes: read,
    },
  },
  corrections: { notHere: "Partnerize answers with a conversion as its items stand, and sends no further rows." },
  unreadableRow: conversion({ conversion_time: "2026-02-31 10:00:00" }),
  unknownIds: { ids: ["111111l1-2026-11-19", "111111l2-2026-11-19"], requests: 1 },
  secrets: [
    partnerizeCredentials.applicationKey,
    partnerizeCredentials.userApiKey,
    Buffer.from("secret-application-key:secret-user-key").toString("base64"),
  ],
  maxWindowDays: 31,
  windowOf: (request) => {
    const { searchParams } = new URL(request.url);
    expect(searchParams.get("timezone")).toBe("UTC");
    return { from: new Date(searchParams.get("start_date")!), to: new Date(searchParams.get("end_date")!) };
  },
  feed: {
    adapter: partnerizeFeed,
    programme: {
      record: campaign("10l176"),
      becomes: {
        networkProgrammeId: "10l176",
        name: "Shop 10l176",
        landingUrl: "https://shop-10l176.example/",
        programmeLink: "https://prf.hn/click/camref:101110l176",
        currency: "GBP",
        status: "joined",
        description: "Sells things.",
        validDomains: ["shop-10l176.example"],
        commissionGroups: [
          { groupId: "1", label: "Everything", kind: "percent", rateBp: 750 },
          { groupId: "2", label: "Quotes", kind: "fixed", amountMinor: 1250, currency: "GBP" },
        ],
      },
    },
    promotion: {
      record: voucher("111111l15", "10l176"),
      becomes: {
        networkOfferId: "111111l15",
        networkProgrammeId: "10l176",
        kind: "code",
        title: "10% off order 111111l15",
        description: "Ten per cent less.",
        terms: "One use.",
        landingUrl: "https://shop-10l176.example/offer",
        startsAt: "2026-01-01 00:00:00",
        endsAt: "2099-01-31 23:59:59",
        code: "CODE111111l15",
      },
    },
  },
});

function partnerizeWith(answerTo: (url: URL) => Response) {
  const requests: URL[] = [];
  const provider = createPartnerizeProvider({
    ...partnerizeCredentials,
    now: () => NOW,
    fetch: async (input, init) => {
      const url = new URL(new Request(input, init).url);
      requests.push(url);
      return answerTo(url);
    },
  });
  return { provider, requests };
}

const day = { from: utc("2026-11-19 12:00:00"), to: NOW };
const one = (id: string, time = data.conversion_time) => conversion({ conversion_id: id, conversion_time: time });

describe("C2 Partnerize only", () => {
  test("C2 the report is asked for with both keys, in UTC, by kind of date, with payments", async () => {
    const requests: Request[] = [];
    const provider = createPartnerizeProvider({
      ...partnerizeCredentials,
      now: () => NOW,
      fetch: async (input, init) => {
        requests.push(new Request(input, init));
        return report([]);
      },
    });
    for (const pass of provider.passes) await joinPages(provider.fetchTransactions({ pass, ...day }));
    const url = "https://api.partnerize.test/reporting/report_publisher/publisher/111111l92/conversion.json";
    const dates = "start_date=2026-11-19T12%3A00%3A00Z&end_date=2026-11-20T12%3A00%3A00Z";
    const rest = "timezone=UTC&include_payment_info=true&limit=300";
    expect(requests.map((request) => request.url)).toEqual([
      `${url}?${dates}&${rest}`,
      `${url}?${dates}&date_type=approved_at&${rest}`,
      `${url}?${dates}&date_type=last_updated&${rest}`,
    ]);
    expect(requests[0]!.headers.get("authorization")).toBe(
      `Basic ${Buffer.from("secret-application-key:secret-user-key").toString("base64")}`,
    );
  });

  test("C2 pages follow the cursor to the last one, however few rows they have", async () => {
    const { provider, requests } = partnerizeWith(({ searchParams }) =>
      searchParams.get("cursor_id") === null
        ? report([one("111111l1")], { cursor: "90071992547409931" })
        : searchParams.get("cursor_id") === "90071992547409931"
          ? report([], { cursor: "12" })
          : report([one("111111l3")]),
    );
    const { transactions } = await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(transactions.map(({ networkTransactionId }) => networkTransactionId)).toEqual([
      "111111l1-2026-03-08",
      "111111l3-2026-03-08",
    ]);
    expect(requests).toHaveLength(3);
  });

  test("S1 the address of the next page is not followed: only its cursor is read", async () => {
    const { provider, requests } = partnerizeWith(({ searchParams }) =>
      searchParams.has("cursor_id")
        ? report([])
        : Response.json({
            conversions: [],
            hypermedia: { pagination: { next_page: "https://evil.example/steal?cursor_id=5" } },
          }),
    );
    await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(requests.map(({ host }) => host)).toEqual(["api.partnerize.test", "api.partnerize.test"]);
  });

  test("R1 a cursor that leads back ends the reading, and the window is not covered", async () => {
    const { provider, requests } = partnerizeWith(() => report([], { cursor: "5" }));
    await expect(joinPages(provider.fetchTransactions({ pass: "transaction", ...day }))).rejects.toThrow(
      NetworkUnavailableError,
    );
    expect(requests).toHaveLength(2);
  });

  test("R1 a next page without a cursor is an answer that cannot be read", async () => {
    const { provider } = partnerizeWith(() =>
      Response.json({ conversions: [], hypermedia: { pagination: { next_page: "/page/2" } } }),
    );
    await expect(joinPages(provider.fetchTransactions({ pass: "transaction", ...day }))).rejects.toThrow(
      NetworkUnavailableError,
    );
  });

  test("C2 a page that arrives broken is asked for again", async () => {
    let asked = 0;
    const { provider } = partnerizeWith(({ searchParams }) =>
      searchParams.has("cursor_id") && ++asked === 1
        ? new Response('{"conversions": [')
        : report([one("111111l1")], searchParams.has("cursor_id") ? {} : { cursor: "5" }),
    );
    const { transactions } = await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(transactions).toHaveLength(2);
  });

  test("C2 half a page is reported, and its rows count", async () => {
    const { provider } = partnerizeWith(() => report([one("111111l1")], { count: 2 }));
    const { transactions, unreadable } = await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(transactions).toHaveLength(1);
    expect(unreadable).toEqual(["Partnerize's report has 1 rows of the 2 that it announced"]);
  });

  test("C2 conversions are found again by their id: each day is asked for once, from its first second to its last", async () => {
    const { provider, requests } = partnerizeWith(({ searchParams }) =>
      searchParams.get("start_date")!.startsWith("2026-03-08")
        ? report([one("111111l1"), one("111111l2"), one("111111l9")])
        : report([one("111111l1", "2026-03-10 23:59:59")]),
    );
    const ids = ["111111l1-2026-03-08", "111111l2-2026-03-08", "111111l1-2026-03-10", "111111l5-2026-03-10"];
    const { transactions } = await provider.fetchTransactionsById(ids);
    expect(transactions.map(({ networkTransactionId }) => networkTransactionId)).toEqual(ids.slice(0, 3));
    expect(requests.map(({ searchParams }) => [searchParams.get("start_date"), searchParams.get("end_date")])).toEqual([
      ["2026-03-08T00:00:00Z", "2026-03-08T23:59:59Z"],
      ["2026-03-10T00:00:00Z", "2026-03-10T23:59:59Z"],
    ]);
  });

  test("R1 ids are split by day, so that those of more days than calls are not asked for at once", async () => {
    const { provider } = partnerizeWith(() => report([]));
    const days = Array.from({ length: 70 }, (_, at) =>
      new Date(NOW.getTime() - at * 86_400_000).toISOString().slice(0, 10),
    );
    const ids = ["111111l1", "111111l2"].flatMap((id) => days.map((of) => `${id}-${of}`));
    expect(provider.splitIds!(ids)).toEqual(days.map((of) => [`111111l1-${of}`, `111111l2-${of}`]));
    for (const some of provider.splitIds!(ids).slice(0, 60)) await provider.fetchTransactionsById(some);
    expect(provider.callsLeft()).toBe(0);
  });

  test.each(["111111l1", "111111l1-2026-02-31", "../l1-2026-03-08", "111111l1-2026-03-08T", ""])(
    "C2 the id %j is of no conversion, and nothing is asked",
    async (id) => {
      const { provider, requests } = partnerizeWith(() => report([]));
      expect(await provider.fetchTransactionsById([id])).toEqual({ transactions: [], unreadable: [] });
      expect(requests).toEqual([]);
    },
  );

  test("C2 an end without a time is the promotion's last day", () => {
    const endOf = (end: string) =>
      partnerizeFeed.promotions.schema.parse(voucher("1", "10l176", { end_date_time: end })).endsAt;
    expect(endOf("2026-11-30")).toBe("2026-11-30T23:59:59");
    expect(endOf("2026-11-30T00:00:00Z")).toBe("2026-11-30T00:00:00Z");
  });

  test("C2 the wait in Partnerize's own header is kept", async () => {
    const { provider } = partnerizeWith(
      () => new Response(null, { status: 429, headers: { "x-ratelimit-retry-after": "41", "x-ratelimit-reset": "3" } }),
    );
    await expect(provider.fetchTransactionsById(["111111l1-2026-03-08"])).rejects.toMatchObject({
      retryAfterSeconds: 41,
    });
  });

  test.each([null, "https://prf.hn/click/", "https://prf.hn/click/camref:", "https://prf.hn/click/camref:a%2Fb"])(
    "S1 no link is built where the programme's own is %j",
    (programmeLink) => {
      const { provider } = partnerizeWith(() => report([]));
      expect(() =>
        provider.buildLink({ networkProgrammeId: "1", programmeLink, landingUrl: "https://a.test/", reference: "r" }),
      ).toThrow(RangeError);
    },
  );

  test("S1 a landing page stays one pair of the link, whatever stands in it", () => {
    const { provider } = partnerizeWith(() => report([]));
    const link = provider.buildLink({
      networkProgrammeId: "1",
      programmeLink: "https://prf.hn/click/camref:1011l34/creativeref:9",
      landingUrl: "https://a.test/x/pubref:stolen/camref:other?a=b",
      reference: "ref",
    });
    expect(link).toBe(
      "https://prf.test/click/camref:1011l34/pubref:ref/destination:https%3A%2F%2Fa.test%2Fx%2Fpubref%3Astolen%2Fcamref%3Aother%3Fa%3Db",
    );
  });

  test.each([
    ["Item returned", "returned"],
    ["Cancelled as duplicate", "duplicate"],
    ["Order cancelled by customer", "cancelled"],
    ["Voucher code not allowed under our terms", "voucher"],
    ["Attributed to another channel", "other_site"],
    ["Test transaction", "test"],
    ["Existing customer", "existing_customer"],
    ["Payment failed", "not_paid"],
    ["Out of stock", "out_of_stock"],
    ["Does not qualify", "not_eligible"],
    ["Latest batch", "unknown_code"],
    ["", "not_given"],
    [null, "not_given"],
  ] as const)("C3 the reject reason %j is %s", (text, reason) => expect(reasonOfText(text)).toBe(reason));
});
