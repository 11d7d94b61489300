import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { endlessAnswer } from "../../endless-answer.testing.ts";
import { affiliateContract } from "../contract.testing.ts";
import { rakutenCalendar } from "./rakuten-calendar.ts";
import { rakutenFeed } from "./rakuten-feed.ts";
import { createRakutenProvider } from "./rakuten-provider.ts";
import { readRakutenRow } from "./rakuten-report.ts";

const utc = (text: string) => new Date(`${text}Z`);
const PAGE_SIZE = 50;

/** A row as Rakuten's documentation shows it, with the fields that we do not use. */
const sample = {
  etransaction_id: "abcdef0123456789",
  advertiser_id: 2149,
  sid: 3300003,
  order_id: "100-2000",
  offer_id: 217007,
  sku_number: "ABC",
  sale_amount: 55.96,
  quantity: 1,
  commissions: 5.59,
  process_date: "Tue Oct 20 2026 22:30:00 GMT+0000 (UTC)",
  transaction_date: "Tue Oct 20 2026 22:09:00 GMT+0000 (UTC)",
  transaction_type: "realtime",
  product_name: "Boots",
  u1: "r4ND0m_token-22-chars_",
  currency: "GBP",
  is_event: "N",
  commissions_list_id: 77,
};

const calendar = { approvedFrom: utc("2026-12-19T22:30:00"), paidFrom: utc("2026-12-20T00:00:00") };
const read = {
  networkTransactionId: "2149/100-2000",
  networkProgrammeId: "2149",
  clickReference: "r4ND0m_token-22-chars_",
  status: "pending" as const,
  currency: "GBP",
  saleMinor: 5596,
  commissionMinor: 559,
  parts: [{ groupId: "77", groupCode: null, saleMinor: 5596, commissionMinor: 559 }],
  paidToPublisher: false,
  kind: "sale" as const,
  correction: { rowId: "abcdef0123456789", isOriginal: true },
  calendar,
  reason: null,
  orderReference: "100-2000",
  purchasedAt: utc("2026-10-20T22:09:00"),
  clickedAt: null,
  validatedAt: null,
  modifiedAt: utc("2026-10-20T22:30:00"),
};
const amounts = (saleMinor: number, commissionMinor: number) => ({
  saleMinor,
  commissionMinor,
  parts: [{ groupId: "77", groupCode: null, saleMinor, commissionMinor }],
});
const negative = {
  ...sample,
  sale_amount: -11.6,
  commissions: -1.16,
  process_date: "Sun Nov 01 2026 10:00:00 GMT+0000 (UTC)",
};

const options = {
  siteId: "3300003",
  linkId: "DevLink0003",
  clientId: "client-of-tests",
  clientSecret: "secret-of-rakuten",
  apiUrl: "https://api.linksynergy.test",
  clickUrl: "https://click.linksynergy.test/deeplink",
  calendar: { holdDays: 60, paymentDay: 20 },
  pageSize: PAGE_SIZE,
};
const token = () => Response.json({ access_token: "access-of-rakuten", token_type: "bearer", expires_in: 3_600 });

affiliateContract({
  name: "Rakuten Advertising",
  create: ({ fetch, now }) =>
    createRakutenProvider({
      ...options,
      now,
      fetch: async (input, init) => (String(input).endsWith("/token") ? token() : fetch(input, init)),
    }),
  readLink: ({ searchParams }) => {
    expect({
      references: searchParams.getAll("u1").length,
      landingPages: searchParams.getAll("murl").length,
      link: searchParams.get("id"),
    }).toEqual({ references: 1, landingPages: 1, link: "DevLink0003" });
    return {
      networkProgrammeId: searchParams.get("mid"),
      landingUrl: searchParams.get("murl"),
      reference: searchParams.get("u1"),
    };
  },
  push: (id) => ({
    contentType: "application/x-www-form-urlencoded",
    body: new TextEncoder().encode(
      new URLSearchParams({ advertiser_id: "2149", order_id: id, u1: "x", sale_amount: "55.96" }).toString(),
    ),
  }),
  pushedId: (id) => `2149/${id}`,
  answer: (rows, { hasMore } = { hasMore: false }) =>
    Response.json(hasMore ? [...rows, ...Array<null>(PAGE_SIZE - rows.length).fill(null)] : rows),
  pages: "paged",
  cases: {
    pending: { row: sample, becomes: read },
    approved: { notHere: "Rakuten reports no status: the calendar approves (rakuten-calendar.ts)." },
    "declined with a reason": { notHere: "Rakuten takes a sale back with a negative row, without a reason." },
    "declined for an unknown reason": { notHere: "Rakuten takes a sale back with a negative row, without a reason." },
    "paid to us": { notHere: "Rakuten reports no payment: it is on a calendar." },
    amended: {
      row: negative,
      becomes: {
        ...read,
        ...amounts(-1160, -116),
        correction: { rowId: "abcdef0123456789@2026-11-01T10:00:00.000Z", isOriginal: false },
        calendar: { approvedFrom: utc("2026-12-31T10:00:00"), paidFrom: utc("2027-01-20T00:00:00") },
        modifiedAt: utc("2026-11-01T10:00:00"),
      },
    },
    "without a reference": { row: { ...sample, u1: "" }, becomes: { ...read, clickReference: null } },
    "of a lead": {
      row: { ...sample, is_event: "Y", sale_amount: 0 },
      becomes: { ...read, ...amounts(0, 559), kind: "lead" },
    },
    "in a foreign currency": { row: { ...sample, currency: "EUR" }, becomes: { ...read, currency: "EUR" } },
    "in a currency without pennies": {
      row: { ...sample, currency: "JPY", sale_amount: 5500, commissions: 550 },
      becomes: { ...read, currency: "JPY", ...amounts(5500, 550) },
    },
    "approved item by item": { notHere: "Rakuten reports every item as a row; none has a status." },
    "at a moment of daylight saving time": {
      row: { ...sample, transaction_date: "2026-10-25 01:30:00" },
      becomes: { ...read, purchasedAt: utc("2026-10-25T01:30:00") },
    },
    "with amounts as text": {
      row: { ...sample, sale_amount: "55.96", commissions: "5.59", advertiser_id: "2149" },
      becomes: read,
    },
  },
  rows: {
    "with its list of commissions under the older name": {
      isPart: true,
      row: { ...sample, commissions_list_id: undefined, commission_list_id: 77 },
      becomes: read,
    },
    "with a blank reference": { row: { ...sample, u1: "  " }, becomes: { ...read, clickReference: null } },
    "that takes back commission alone": {
      row: { ...sample, sale_amount: 0, commissions: -1.16 },
      becomes: {
        ...read,
        ...amounts(0, -116),
        correction: { rowId: "abcdef0123456789@2026-10-20T22:30:00.000Z", isOriginal: false },
      },
    },
    "that takes back a sale without commission": {
      row: { ...sample, sale_amount: -11.6, commissions: 0 },
      becomes: {
        ...read,
        ...amounts(-1160, 0),
        correction: { rowId: "abcdef0123456789@2026-10-20T22:30:00.000Z", isOriginal: false },
      },
    },
    "whose hold ends with the first moment of the payment day": {
      row: { ...sample, process_date: "2026-10-21 00:00:00" },
      becomes: {
        ...read,
        calendar: { approvedFrom: utc("2026-12-20T00:00:00"), paidFrom: utc("2026-12-20T00:00:00") },
        modifiedAt: utc("2026-10-21T00:00:00"),
      },
    },
    "without a list of commissions": { row: { ...sample, commissions_list_id: null }, becomes: { ...read, parts: [] } },
  },
  corrections: [
    {
      original: sample,
      corrections: [negative],
      becomes: { status: "pending", ...amounts(4436, 443), reason: "amended" },
    },
    {
      original: sample,
      corrections: [{ ...negative, sale_amount: -99, commissions: -9.9 }],
      becomes: { status: "declined", ...amounts(5596, 559), reason: "not_given" },
    },
    {
      original: sample,
      corrections: [negative, { ...negative, process_date: "Mon Nov 02 2026 10:00:00 GMT+0000 (UTC)" }],
      becomes: { status: "pending", ...amounts(3276, 327) },
    },
  ],
  unreadableRow: { ...sample, process_date: "soon" },
  secrets: ["secret-of-rakuten", "access-of-rakuten", "client-of-tests"],
  maxWindowDays: 14.01,
  windowOf: (request) => {
    const { searchParams } = new URL(request.url);
    const date = (name: string) => utc(searchParams.get(name)!.replace(" ", "T"));
    return { from: date("process_date_start"), to: date("process_date_end") };
  },
  feed: {
    adapter: rakutenFeed,
    programme: {
      record: {
        id: 2149,
        name: "Shop 2149",
        url: "https://shop-2149.example/",
        description: "Sells things.",
        status: "active",
        currency: "GBP",
        domains: ["Shop-2149.example"],
        commission_lists: [
          { id: 77, name: "Everything", type: "percentage", value: 7.5 },
          { id: 78, name: "New customers", type: "flat", value: 25.5 },
        ],
      },
      becomes: {
        networkProgrammeId: "2149",
        name: "Shop 2149",
        landingUrl: "https://shop-2149.example/",
        currency: "GBP",
        status: "joined",
        description: "Sells things.",
        validDomains: ["shop-2149.example"],
        commissionGroups: [
          { groupId: "77", label: "Everything", kind: "percent", rateBp: 750 },
          { groupId: "78", label: "New customers", kind: "fixed", amountMinor: 2550, currency: "GBP" },
        ],
      },
    },
    promotion: {
      record: {
        offerid: "164317.10002595",
        advertiserid: "2149",
        offerdescription: "10% off",
        offerstartdate: "2026-01-01",
        offerenddate: "2099-01-01",
        couponcode: "TEN",
        couponrestriction: "One use.",
        murl: "https://shop-2149.example/offer",
      },
      becomes: {
        networkOfferId: "164317.10002595",
        networkProgrammeId: "2149",
        kind: "code",
        title: "10% off",
        description: "",
        terms: "One use.",
        landingUrl: "https://shop-2149.example/offer",
        startsAt: "2026-01-01",
        endsAt: "2099-01-01T23:59:59",
        code: "TEN",
      },
    },
  },
});

describe("C2 Rakuten Advertising only", () => {
  const day = { pass: "transaction" as const, from: utc("2026-11-01T00:00:00"), to: utc("2026-11-02T00:00:00") };

  test("C2 a token is asked for once, and again when a request with it fails", async () => {
    const asked: string[] = [];
    let status = 200;
    const provider = createRakutenProvider({
      ...options,
      fetch: async (input, init) => {
        const request = new Request(input, init);
        asked.push(`${request.method} ${new URL(request.url).pathname} ${request.headers.get("authorization")}`);
        return request.url.endsWith("/token") ? token() : Response.json([], { status });
      },
    });
    const readAll = async () => {
      for await (const _page of provider.fetchTransactions(day));
    };
    await readAll();
    await readAll();
    status = 401;
    await expect(readAll()).rejects.toThrow(NetworkUnavailableError);
    status = 200;
    await readAll();
    const basic = Buffer.from("client-of-tests:secret-of-rakuten").toString("base64");
    const report = "GET /events/1.0/transactions Bearer access-of-rakuten";
    expect(asked).toEqual([
      `POST /token Bearer ${basic}`,
      ...[report, report, report],
      `POST /token Bearer ${basic}`,
      report,
    ]);
  });

  test.each([
    [
      "401",
      () => new Response("secret", { status: 401 }),
      /\(401\): check RAKUTEN_CLIENT_ID, RAKUTEN_CLIENT_SECRET and /,
    ],
    [
      "403",
      () => new Response("secret", { status: 403 }),
      /\(403\): check RAKUTEN_CLIENT_ID, RAKUTEN_CLIENT_SECRET and /,
    ],
    ["500", () => new Response("secret", { status: 500 }), /gave no access token \(500\)\.$/],
    ["no JSON", () => new Response("secret"), /gave no access token \(SyntaxError\)\.$/],
    ["no token", () => Response.json({ secret: 1 }), /gave no access token \(its answer has none\)\.$/],
    ["no answer", () => Promise.reject(new DOMException("secret", "TimeoutError")), /\(TimeoutError\)\.$/],
  ])(
    "C2 a token that is not given for %s is told with the cause, and nothing of the answer",
    async (_, answer, said) => {
      const provider = createRakutenProvider({ ...options, fetch: async () => answer() });
      const read = async () => {
        for await (const _page of provider.fetchTransactions(day));
      };
      const error = await read().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NetworkUnavailableError);
      expect((error as Error).message).toMatch(said);
      expect((error as Error).message).not.toContain("secret");
    },
  );

  test("C2 a token is renewed a minute before it expires, so that it does not expire on the way", async () => {
    const start = utc("2026-11-02T10:00:00").getTime();
    let at = start;
    let tokens = 0;
    const provider = createRakutenProvider({
      ...options,
      now: () => new Date(at),
      fetch: async (input) => {
        if (!String(input).endsWith("/token")) return Response.json([]);
        tokens += 1;
        return token();
      },
    });
    const tokensAt = async (afterMs: number) => {
      at = start + afterMs;
      for await (const _page of provider.fetchTransactions(day));
      return tokens;
    };
    const renewed = (3_600 - 60) * 1000;
    expect(await tokensAt(0)).toBe(1);
    expect(await tokensAt(renewed - 1)).toBe(1);
    expect(await tokensAt(renewed)).toBe(2);
    expect(await tokensAt(renewed + 1)).toBe(2);
    expect(await tokensAt(2 * renewed - 1)).toBe(2);
    expect(await tokensAt(2 * renewed)).toBe(3);
  });

  test.each<[string, () => Promise<Response>]>([
    ["refused", async () => Response.json({ error: "secret-of-rakuten" }, { status: 401 })],
    ["not there", async () => Response.json({ message: "secret-of-rakuten" })],
    ["no JSON", async () => new Response("secret-of-rakuten")],
    ["not answered", () => Promise.reject(new TypeError("secret-of-rakuten"))],
  ])(
    "R1 a token that is %s makes the network unavailable, and the error says nothing of the answer",
    async (_, answer) => {
      const provider = createRakutenProvider({ ...options, fetch: answer });
      const error: unknown = await provider.fetchTransactionsById(["1"]).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NetworkUnavailableError);
      expect(inspect(error, { depth: 10 })).not.toContain("secret-of-rakuten");
    },
  );

  test("R1 a token's answer that never ends is let go, and makes the network unavailable", async () => {
    const { answer, response } = endlessAnswer();
    const provider = createRakutenProvider({ ...options, timeoutMs: 60_000, fetch: async () => response() });
    await expect(provider.fetchTransactionsById(["1"])).rejects.toThrow(NetworkUnavailableError);
    expect(answer.isCancelled).toBe(true);
    expect(answer.takenBytes).toBeLessThan(1_000_000);
  });

  test("C2 a pushed order is found among the rows of the last day, and other orders are left out", async () => {
    const rows = [sample, { ...sample, order_id: "other", etransaction_id: "fedcba" }];
    const provider = createRakutenProvider({
      ...options,
      fetch: async (input) => (String(input).endsWith("/token") ? token() : Response.json(rows)),
    });
    const { transactions } = await provider.fetchTransactionsById(["2149/100-2000"]);
    expect(transactions.map(({ networkTransactionId }) => networkTransactionId)).toEqual(["2149/100-2000"]);
  });

  test.each([
    ["2026-01-01T00:00:00", "2026-03-02T00:00:00", "2026-03-20T00:00:00"],
    ["2025-12-31T12:00:00", "2026-03-01T12:00:00", "2026-03-20T00:00:00"],
    ["2026-10-21T00:00:00", "2026-12-20T00:00:00", "2026-12-20T00:00:00"],
    ["2026-10-21T00:00:01", "2026-12-20T00:00:01", "2027-01-20T00:00:00"],
    ["2027-12-31T00:00:00", "2028-02-29T00:00:00", "2028-03-20T00:00:00"],
  ])("C3 what is processed at %s is approved at %s and paid at %s", (processed, approvedFrom, paidFrom) => {
    expect(rakutenCalendar(utc(processed), { holdDays: 60, paymentDay: 20 })).toEqual({
      approvedFrom: utc(approvedFrom),
      paidFrom: utc(paidFrom),
    });
  });
});

test("C2 dates without an offset are UTC wherever the server stands", () => {
  const zone = process.env["TZ"];
  process.env["TZ"] = "America/Los_Angeles";
  try {
    const bare = { ...sample, process_date: "2026-11-01 10:00:00", transaction_date: "2026-10-25 01:30:00" };
    const row = readRakutenRow(bare, { holdDays: 60, paymentDay: 20 }, utc("2026-11-02T00:00:00"));
    expect([row.modifiedAt, row.purchasedAt]).toEqual([utc("2026-11-01T10:00:00"), utc("2026-10-25T01:30:00")]);
  } finally {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  }
});
