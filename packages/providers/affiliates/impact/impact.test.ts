import { DECLINE_REASONS } from "@farthing/core/networks/decline-reason.ts";
import { NetworkUnavailableError } from "@farthing/core/networks/provider.ts";
import { describe, expect, test } from "vitest";
import { affiliateContract } from "../contract.testing.ts";
import { joinPages } from "../report-rows.ts";
import { impactFeed } from "./impact-feed.ts";
import { campaign, deal, impactAnswers, impactCredentials } from "./impact-files.testing.ts";
import { createImpactProvider } from "./impact-provider.ts";
import { IMPACT_REASONS, impactReason } from "./impact-reason.ts";

const at = (text: string) => new Date(text);
const NOW = at("2026-11-20T12:00:00Z");

/** As Impact's documentation shows an action, with the fields we do not use. */
const sample = {
  Id: "1000.4636.158133",
  CampaignId: "10306",
  CampaignName: "Acme Campaign",
  ActionTrackerId: "2240",
  ActionTrackerName: "Sale",
  State: "PENDING",
  AdId: "506720",
  Payout: "0.88",
  DeltaPayout: "0.88",
  IntendedPayout: "0.88",
  Amount: "21.99",
  DeltaAmount: "21.99",
  IntendedAmount: "21.99",
  Currency: "GBP",
  ReferringDate: "2026-09-10T09:45:07-07:00",
  EventDate: "2026-09-10T10:42:38-07:00",
  CreationDate: "2026-09-10T10:51:23-07:00",
  LockingDate: "2026-12-26T00:00:00-08:00",
  ClearedDate: "",
  ReferringType: "CLICK_COOKIE",
  ReferringDomain: "",
  PromoCode: "",
  Oid: "9217374917472",
  SharedId: "",
  SubId1: "r4ND0m_token-22-chars_",
  SubId2: "",
  SubId3: "",
  CustomerCountry: "GB",
  Uri: "/Mediapartners/IRtest/Actions/1000.4636.158133",
};

const read = {
  networkTransactionId: "1000.4636.158133",
  networkProgrammeId: "10306",
  clickReference: "r4ND0m_token-22-chars_",
  status: "pending" as const,
  currency: "GBP",
  saleMinor: 2199,
  commissionMinor: 88,
  parts: [],
  paidToPublisher: false,
  paidAt: null,
  locksAt: at("2026-12-26T08:00:00Z"),
  kind: "sale" as const,
  reason: null,
  orderReference: "9217374917472",
  purchasedAt: at("2026-09-10T17:42:38Z"),
  clickedAt: at("2026-09-10T16:45:07Z"),
  validatedAt: null,
  modifiedAt: at("2026-09-10T17:51:23Z"),
};

const locked = { LockingDate: "2026-10-26T00:00:00-07:00" };
const lockedAt = at("2026-10-26T07:00:00Z");
/** Reversed actions are worth nothing; the items say why (impact-files.testing.ts). */
const reversed = { ...sample, ...locked, State: "REVERSED", Payout: "0.00", Amount: "0.00" };

affiliateContract({
  name: "Impact",
  create: ({ fetch, now }) => createImpactProvider({ ...impactCredentials, fetch, now }),
  programmeLink: (id) => `https://acme.sjv.test/c/1924609/650971/${id}`,
  readLink: ({ host, pathname, searchParams }) => {
    expect({
      host,
      references: searchParams.getAll("subId1").length,
      landingPages: searchParams.getAll("u").length,
      path: pathname.split("/").slice(0, 4).join("/"),
    }).toEqual({ host: "acme.sjv.test", references: 1, landingPages: 1, path: "/c/1924609/650971" });
    return {
      networkProgrammeId: pathname.split("/")[4] ?? null,
      landingUrl: searchParams.get("u"),
      reference: searchParams.get("subId1"),
    };
  },
  push: (id) => ({
    contentType: "application/x-www-form-urlencoded",
    body: new TextEncoder().encode(
      new URLSearchParams({ campaign_id: "10306", action_id: id, status: "APPROVED", payout: "5.00" }).toString(),
    ),
  }),
  answer: (rows, page) => impactAnswers.actions(rows, page),
  pages: "paged",
  // Its items say why an action was reversed.
  inFile: (becomes) =>
    becomes.status === "declined" ? { ...becomes, reason: "not_given", validatedAt: null } : becomes,
  cases: {
    pending: { row: sample, becomes: read },
    approved: {
      row: { ...sample, ...locked, State: "APPROVED" },
      becomes: { ...read, status: "approved", locksAt: lockedAt, validatedAt: lockedAt },
    },
    "declined with a reason": {
      row: { ...reversed, Oid: "returned" },
      becomes: {
        ...read,
        status: "declined",
        reason: "returned",
        orderReference: "returned",
        locksAt: lockedAt,
        validatedAt: at("2026-10-02T09:00:00Z"),
      },
    },
    "declined for an unknown reason": {
      row: { ...reversed, Oid: "unheard of" },
      becomes: { ...read, status: "declined", reason: "unknown_code", orderReference: "unheard of", locksAt: lockedAt },
    },
    "paid to us": {
      row: { ...sample, ...locked, State: "APPROVED", ClearedDate: "2026-11-15T00:00:00-08:00" },
      becomes: {
        ...read,
        status: "approved",
        locksAt: lockedAt,
        validatedAt: lockedAt,
        paidToPublisher: true,
        paidAt: at("2026-11-15T08:00:00Z"),
      },
    },
    amended: {
      row: { ...sample, Amount: "10.00", Payout: "0.40", DeltaAmount: "-11.99", DeltaPayout: "-0.48" },
      becomes: { ...read, saleMinor: 1000, commissionMinor: 40, reason: "amended" },
    },
    "without a reference": { row: { ...sample, SubId1: " " }, becomes: { ...read, clickReference: null } },
    "of a lead": {
      row: { ...sample, Amount: "0.00", IntendedAmount: "0.00", Payout: "5.00", IntendedPayout: "5.00" },
      becomes: { ...read, kind: "lead", saleMinor: 0, commissionMinor: 500 },
    },
    "in a foreign currency": { row: { ...sample, Currency: "USD" }, becomes: { ...read, currency: "USD" } },
    "in a currency without pennies": {
      row: { ...sample, Currency: "JPY", Amount: "5500", IntendedAmount: "5500", Payout: "220", IntendedPayout: "220" },
      becomes: { ...read, currency: "JPY", saleMinor: 5500, commissionMinor: 220 },
    },
    "approved item by item": { notHere: "Impact decides about an action as a whole; its items only say why." },
    "at a moment of daylight saving time": {
      // The night when New York's clocks go back has 01:30 twice; the offset tells them apart.
      row: { ...sample, EventDate: "2026-11-01T01:30:00-05:00", CreationDate: "2026-11-01T01:30:00-04:00" },
      becomes: { ...read, purchasedAt: at("2026-11-01T06:30:00Z"), modifiedAt: at("2026-11-01T06:30:00Z") },
    },
    "with amounts as text": {
      row: { ...sample, Amount: "90071992547409.91", IntendedAmount: "90071992547409.91" },
      becomes: { ...read, saleMinor: 9_007_199_254_740_991 },
    },
  },
  rows: {
    "approved by hand before it locks": {
      row: { ...sample, State: "APPROVED" },
      becomes: { ...read, status: "approved" },
    },
    "with numbers in place of text": {
      row: { ...sample, Amount: 21.99, Payout: 0.88, CampaignId: 10306, Oid: 9217374917472 },
      becomes: read,
    },
    "without intended amounts and dates that are optional": {
      isPart: true,
      row: {
        ...sample,
        IntendedAmount: undefined,
        IntendedPayout: undefined,
        ReferringDate: undefined,
        LockingDate: "",
        CreationDate: "",
      },
      becomes: { ...read, clickedAt: null, locksAt: null, modifiedAt: read.purchasedAt },
    },
    "reversed after an amendment, still with its own amounts": {
      row: { ...reversed, Amount: "10.00", Payout: "0.40", Oid: "test" },
      becomes: {
        ...read,
        status: "declined",
        saleMinor: 1000,
        commissionMinor: 40,
        reason: "test",
        orderReference: "test",
        locksAt: lockedAt,
        validatedAt: at("2026-10-02T09:00:00Z"),
      },
    },
  },
  corrections: { notHere: "Impact answers with an action as it is now, and corrects no sale by further rows." },
  unreadableRow: { ...sample, EventDate: "2026-09-10T10:42:38" },
  unknownIds: { ids: ["1.2.3", "1.2.4"], requests: 2, answer: () => new Response(null, { status: 404 }) },
  secrets: [impactCredentials.authToken, Buffer.from(`IRtest:${impactCredentials.authToken}`).toString("base64")],
  maxWindowDays: 45,
  windowOf: (request) => {
    const { searchParams } = new URL(request.url);
    return { from: at(searchParams.get("ActionDateStart")!), to: at(searchParams.get("ActionDateEnd")!) };
  },
  feed: {
    adapter: impactFeed,
    programme: {
      record: campaign(10306),
      becomes: {
        networkProgrammeId: "10306",
        name: "Shop 10306",
        landingUrl: "https://shop-10306.example/",
        programmeLink: "https://shop10306.sjv.example/c/1924609/650971/10306",
        currency: "GBP",
        status: "joined",
        description: "Sells things.",
        validDomains: ["shop-10306.example"],
        commissionGroups: [
          { groupId: "2240", label: "Sale", kind: "percent", rateBp: 750 },
          { groupId: "2241", label: "Quote", kind: "fixed", amountMinor: 1250, currency: "GBP" },
        ],
      },
    },
    promotion: {
      record: deal(92812, 10306),
      becomes: {
        networkOfferId: "92812",
        networkProgrammeId: "10306",
        kind: "code",
        title: "10% off order 92812",
        description: "Ten per cent less.",
        terms: "Minimum purchase: 40.00 GBP.",
        landingUrl: "https://shop-10306.example/offer",
        startsAt: "2026-01-01T00:00:00-08:00",
        endsAt: "2099-01-31T23:59:59-08:00",
        code: "CODE92812",
      },
    },
  },
});

/** Creates the adapter with answers by the path after the account, `Actions?Page=2`; keeps the requests. */
function impactWith(answerTo: (path: string, url: URL) => Response, options: { pageSize?: number } = {}) {
  const requests: URL[] = [];
  const provider = createImpactProvider({
    ...impactCredentials,
    ...options,
    now: () => NOW,
    fetch: async (input, init) => {
      const url = new URL(new Request(input, init).url);
      requests.push(url);
      return answerTo(url.pathname.split("/IRtest/")[1]!, url);
    },
  });
  return { provider, requests };
}

const day = { from: at("2026-11-19T12:00:00Z"), to: NOW };
const action = (id: string, different: object = {}) => ({ ...sample, Id: id, ...different });

describe("C2 Impact only", () => {
  test("C2 actions are asked for with the credentials, by date of sale and of locking, in pages that Impact accepts", async () => {
    const requests: Request[] = [];
    const provider = createImpactProvider({
      ...impactCredentials,
      apiUrl: "https://api.impact.test/",
      now: () => NOW,
      fetch: async (input, init) => {
        requests.push(new Request(input, init));
        return impactAnswers.actions([]);
      },
    });
    await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    await joinPages(provider.fetchTransactions({ pass: "validation", ...day }));
    const url = "https://api.impact.test/Mediapartners/IRtest/Actions";
    expect(requests.map(({ url, headers }) => ({ url, authorization: headers.get("authorization") }))).toEqual(
      ["ActionDate", "LockingDate"].map((date) => ({
        url: `${url}?${date}Start=2026-11-19T12%3A00%3A00Z&${date}End=2026-11-20T12%3A00%3A00Z&Page=1&PageSize=10000`,
        authorization: `Basic ${Buffer.from("IRtest:secret-impact-token").toString("base64")}`,
      })),
    );
    expect(Number(new URL(requests[0]!.url).searchParams.get("PageSize"))).toBeGreaterThanOrEqual(2_000);
  });

  test("C2 all pages are read, however few rows they have", async () => {
    const { provider } = impactWith((_, url) =>
      impactAnswers.list("Actions", [action(`1.1.${url.searchParams.get("Page")}`)], { pages: 3, total: 3 }),
    );
    const { transactions, unreadable } = await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(transactions.map(({ networkTransactionId }) => networkTransactionId)).toEqual(["1.1.1", "1.1.2", "1.1.3"]);
    expect(unreadable).toEqual([]);
  });

  test("C2 half a page is reported, and its rows count", async () => {
    const { provider } = impactWith(() => impactAnswers.list("Actions", [action("1.1.1")], { pages: 1, total: 2 }));
    const { transactions, unreadable } = await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(transactions).toHaveLength(1);
    expect(unreadable).toEqual(["Impact's list has 1 rows of the 2 that it announced"]);
  });

  test("C2 a page that arrives broken is asked for again", async () => {
    let asked = 0;
    const { provider } = impactWith((_, url) =>
      url.searchParams.get("Page") === "2" && ++asked === 1
        ? new Response('{"@page": "2", "Actions": [')
        : impactAnswers.list("Actions", [action(`1.1.${url.searchParams.get("Page")}`)], { pages: 2, total: 2 }),
    );
    expect((await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }))).transactions).toHaveLength(2);
  });

  test("R1 a page that stays broken holds up no other, and the window is not covered", async () => {
    const { provider } = impactWith((_, url) =>
      url.searchParams.get("Page") === "2"
        ? new Response('{"@page": "2", "Actions": [')
        : impactAnswers.list("Actions", [action(`1.1.${url.searchParams.get("Page")}`)], { pages: 3, total: 3 }),
    );
    const ids: string[] = [];
    const covered: (Date | null)[] = [];
    await expect(async () => {
      for await (const page of provider.fetchTransactions({ pass: "transaction", ...day })) {
        ids.push(...page.transactions.map(({ networkTransactionId }) => networkTransactionId));
        covered.push(page.coveredUntil);
      }
    }).rejects.toThrow(NetworkUnavailableError);
    expect({ ids, covered }).toEqual({ ids: ["1.1.1", "1.1.3"], covered: [null, null] });
  });

  test.each([
    ["announces more than ten pages", () => impactAnswers.list("Actions", [], { pages: 11, total: 110_000 })],
    [
      "refuses a list of more than ten pages",
      () => Response.json({ Status: "ERROR", Message: "Increase PageSize or reduce the date range" }, { status: 400 }),
    ],
  ])("C2 a window is halved where Impact %s, without gaps", async (_, tooLong) => {
    const windows: [Date, Date][] = [];
    const { provider } = impactWith((_path, url) => {
      const [from, to] = ["ActionDateStart", "ActionDateEnd"].map((name) => at(url.searchParams.get(name)!));
      if (to!.getTime() - from!.getTime() > 8 * 3_600_000) return tooLong();
      windows.push([from!, to!]);
      return impactAnswers.actions([action(`1.1.${windows.length}`)]);
    });
    const { transactions } = await joinPages(provider.fetchTransactions({ pass: "transaction", ...day }));
    expect(transactions).toHaveLength(4);
    expect([windows[0]![0], windows.at(-1)![1]]).toEqual([day.from, day.to]);
    windows.slice(1).forEach(([from], i) => expect(from.getTime()).toBeLessThanOrEqual(windows[i]![1].getTime()));
  });

  test("R1 any other refusal of a list is a network that is unavailable", async () => {
    const { provider, requests } = impactWith(() =>
      Response.json({ Status: "ERROR", Message: "Access denied" }, { status: 400 }),
    );
    await expect(joinPages(provider.fetchTransactions({ pass: "transaction", ...day }))).rejects.toThrow(
      NetworkUnavailableError,
    );
    expect(requests).toHaveLength(1);
  });

  test("C2 the feed of updates names the actions, and each is read as it is now", async () => {
    const { provider } = impactWith((path) =>
      path === "ActionUpdates"
        ? impactAnswers.list("ActionUpdates", [
            { Id: "1.1.1.9", ActionId: "1.1.1", DeltaAmount: "-4.00" },
            { Id: "1.1.1.8", ActionId: "1.1.1", DeltaAmount: "21.99" },
            { Id: "1.1.2.7", ActionId: "1.1.2", DeltaAmount: "-21.99" },
            { Id: "1.1.3.7", ActionId: "1.1.3" },
            { Id: "broken" },
          ])
        : path === "Actions/1.1.3"
          ? new Response(null, { status: 404 })
          : path === "Actions/1.1.2/Items"
            ? Response.json({ ActionItems: [{ AdjustmentReason: "" }, { AdjustmentReason: "CREDITED_DIFFERENT_MP" }] })
            : Response.json(
                path === "Actions/1.1.1" ? action("1.1.1", { Amount: "17.99" }) : { ...reversed, Id: "1.1.2" },
              ),
    );
    const { transactions, unreadable } = await joinPages(provider.fetchTransactions({ pass: "update", ...day }));
    expect(transactions.map((one) => [one.networkTransactionId, one.saleMinor, one.reason])).toEqual([
      ["1.1.1", 1799, "amended"],
      ["1.1.2", 2199, "other_site"],
    ]);
    expect(unreadable).toEqual(["Impact update: it names no action"]);
  });

  test("C2 many updated actions are read from the list, and only those that it lacks one by one", async () => {
    const ids = Array.from({ length: 30 }, (_, i) => `1.1.${i}`);
    const { provider, requests } = impactWith((path) =>
      path === "ActionUpdates"
        ? impactAnswers.list(
            "ActionUpdates",
            ids.map((ActionId) => ({ ActionId })),
          )
        : path === "Actions"
          ? impactAnswers.actions(ids.slice(0, 28).map((id) => action(id)))
          : Response.json(action(path.split("/")[1]!)),
    );
    const { transactions } = await joinPages(provider.fetchTransactions({ pass: "update", ...day }));
    expect(transactions.map(({ networkTransactionId }) => networkTransactionId).sort()).toEqual([...ids].sort());
    expect(requests).toHaveLength(4);
    expect(requests[1]!.search).toContain("?StartDate=");
  });

  test("C2 an action that is asked for by id must be the one that is answered", async () => {
    const { provider } = impactWith(() => Response.json(action("1.1.9")));
    expect(await provider.fetchTransactionsById(["1.1.1"])).toEqual({
      transactions: [],
      unreadable: ["Impact answered with another action than 1.1.1"],
    });
  });

  test("C2 the items of a reversed action are asked for once", async () => {
    const { provider, requests } = impactWith((path) =>
      path.endsWith("Items")
        ? Response.json({ ActionItems: [{ AdjustmentReason: "ITEM_RETURNED" }] })
        : Response.json({ ...reversed, Id: "1.1.1" }),
    );
    for (let i = 0; i < 3; i += 1) await provider.fetchTransactionsById(["1.1.1"]);
    expect(requests).toHaveLength(4);
  });

  test("R1 a reversed action waits until Impact says why", async () => {
    const { provider } = impactWith((path) =>
      path.endsWith("Items") ? new Response("busy", { status: 503 }) : Response.json({ ...reversed, Id: "1.1.1" }),
    );
    await expect(provider.fetchTransactionsById(["1.1.1"])).rejects.toThrow(NetworkUnavailableError);
  });

  test("C2 a later reading of an action applies, also where its locking date was moved forward", async () => {
    const [before, after] = await Promise.all(
      [locked.LockingDate, "2026-12-30T00:00:00-08:00"].map(async (LockingDate) => {
        const { provider } = impactWith(() => Response.json(action("1.1.1", { LockingDate })));
        return (await provider.fetchTransactionsById(["1.1.1"])).transactions[0]!;
      }),
    );
    expect(after!.modifiedAt).toEqual(before!.modifiedAt);
  });

  test.each([
    ["GET with the template's names", "application/x-www-form-urlencoded", "ActionId=1000.4636.158133&Status=APPROVED"],
    ["JSON", "application/json; charset=utf-8", '{"action_id": "1000.4636.158133", "items": [{"sku": "A"}]}'],
  ])("C2 a notification as %s is read", (_, contentType, body) => {
    const { provider } = impactWith(() => impactAnswers.actions([]));
    expect(provider.readPush({ contentType, body: new TextEncoder().encode(body) })).toEqual({
      outcome: "read",
      networkTransactionId: "1000.4636.158133",
    });
  });

  test.each(["1/../../Campaigns", "{ActionId}", "1.2.3?x=1", "", "a"])(
    "S1 the id %j of a notification is not read",
    (id) => {
      const { provider } = impactWith(() => impactAnswers.actions([]));
      const body = new TextEncoder().encode(new URLSearchParams({ action_id: id }).toString());
      expect(provider.readPush({ contentType: "application/x-www-form-urlencoded", body }).outcome).toBe("unreadable");
    },
  );

  test.each([
    ["none", null],
    ["another programme's", "https://acme.sjv.test/c/1/2/99"],
    ["one without an ad", "https://acme.sjv.test/c/1/4471"],
    ["the API's address", "https://api.impact.com/Mediapartners/IRtest/Campaigns/4471"],
    ["a script", "javascript:alert(1)//c/1/2/4471"],
    ["one with a user name", "https://acme.sjv.test@evil.example/c/1/2/4471"],
  ])("S1 no link is built where the programme's own is %s", (_, programmeLink) => {
    const { provider } = impactWith(() => impactAnswers.actions([]));
    expect(() =>
      provider.buildLink({ networkProgrammeId: "4471", programmeLink, landingUrl: "https://a.test/", reference: "r" }),
    ).toThrow(RangeError);
  });

  test("C2 the programme's link keeps its own parameters, but not another reference or landing page", () => {
    const { provider } = impactWith(() => impactAnswers.actions([]));
    const link = provider.buildLink({
      networkProgrammeId: "4471",
      programmeLink: "https://acme.sjv.test/c/1/2/4471?sharedid=x&SubId1=old&U=https%3A%2F%2Fold.test",
      landingUrl: "https://a.test/",
      reference: "ref",
    });
    expect(link).toBe("https://acme.sjv.test/c/1/2/4471?sharedid=x&subId1=ref&u=https%3A%2F%2Fa.test%2F");
  });

  test("C2 an end without a time is the promotion's last day", () => {
    const endOf = (end: string) => impactFeed.promotions.schema.parse(deal(1, 10306, { EndDate: end })).endsAt;
    expect(endOf("2026-11-30")).toBe("2026-11-30T23:59:59");
    expect(endOf("2026-11-30T00:00:00Z")).toBe("2026-11-30T00:00:00Z");
  });

  test("C2 the wait that Impact states for its hour is kept", async () => {
    const { provider } = impactWith(() => new Response(null, { status: 429, headers: { "ratelimit-reset": "700" } }));
    await expect(provider.fetchTransactionsById(["1.1.1"])).rejects.toMatchObject({ retryAfterSeconds: 700 });
  });

  test("C3 each of Impact's reasons has a sentence, and an unknown one says so", () => {
    for (const reason of Object.values(IMPACT_REASONS)) expect(DECLINE_REASONS[reason]).toMatch(/\.$/);
    expect(impactReason([])).toBe("not_given");
    expect(impactReason([null, "", "NEW_CODE", "toString"])).toBe("unknown_code");
    expect(impactReason(["NEW_CODE", "OTHER"])).toBe("other");
    expect(impactReason(["OTHER", "item_out_of_stock", "TEST_ACTION"])).toBe("out_of_stock");
  });
});
