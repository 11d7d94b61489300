import { createClickRecorder } from "@farthing/core/clicks/click-recorder.server.ts";
import { findCashbackTimeline } from "@farthing/core/cashback/queries.server.ts";
import { recordsFile } from "@farthing/core/catalogue-imports/catalogue-files.testing.ts";
import { httpUrl, instantText, plainText } from "@farthing/core/catalogue-imports/field-schema.ts";
import { importCatalogue } from "@farthing/core/catalogue-imports/import-catalogue.server.ts";
import { describeProblem } from "@farthing/core/catalogue-imports/import-problem.ts";
import { textSource } from "@farthing/core/catalogue-imports/import-source.server.ts";
import { seedNetworks } from "@farthing/core/catalogue-imports/seed-networks.server.ts";
import { insertBrand } from "@farthing/core/testing/insert-brand.testing.ts";
import { insertVerifiedMember } from "@farthing/core/testing/insert-member.testing.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import type { ReportAnswer } from "@farthing/core/networks/provider.ts";
import { readReportFile } from "@farthing/core/networks/report-file.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { testDatabase } from "@farthing/db/testing/test-database.ts";
import { allNetworks } from "@farthing/providers/affiliates/all-networks.ts";
import { createCallBudget } from "@farthing/providers/affiliates/call-budget.ts";
import { affiliateContract } from "@farthing/providers/affiliates/contract.testing.ts";
import { fetchReport, listOf } from "@farthing/providers/affiliates/fetch-report.ts";
import { defineNetwork } from "@farthing/providers/affiliates/network-definition.ts";
import { parseExactJson } from "@farthing/providers/affiliates/parse-exact-json.ts";
import { splitTime } from "@farthing/providers/affiliates/report-questions.ts";
import { readReportRows } from "@farthing/providers/affiliates/report-rows.ts";
import { header, pathSegment } from "@farthing/providers/environment-values.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { goAppForTests } from "../clicks/go.testing.ts";
import { confirmDuePushes } from "./confirm-pushes.ts";
import { networkProblems, networkVariables, readNetworkSettings } from "./network-settings.ts";
import { networkWebhooks } from "./network-webhooks.ts";
import { openNetworks } from "./open-networks.ts";
import { pollReports } from "./poll-reports.ts";

// A network unlike Awin in every format, added as docs/adding-a-network.md says. The rest of the server is used as it is.

const DAY_MS = 86_400_000;
const pushSchema = z.object({ sale: z.string().regex(/^S\d{1,20}$/) });
/** Whole pence: a number in JSON, text in CSV. */
const pence = z.coerce.number().pipe(z.int());
const saleSchema = z.object({
  sale: z.string().regex(/^S\d{1,20}$/),
  shop: z.string().min(1),
  tag: z
    .string()
    .nullish()
    .transform((tag) => tag ?? null),
  state: z.enum(["open", "paid", "void"]),
  basketPence: pence,
  feePence: pence,
  soldAt: z.iso.datetime(),
  changedAt: z.iso.datetime(),
});

function readSale(raw: unknown, observedAt: Date): ReportedTransaction {
  const sale = saleSchema.parse(raw);
  return {
    networkTransactionId: sale.sale,
    networkProgrammeId: sale.shop,
    clickReference: sale.tag,
    status: sale.state === "open" ? "pending" : sale.state === "paid" ? "approved" : "declined",
    currency: "GBP",
    saleMinor: sale.basketPence,
    commissionMinor: sale.feePence,
    parts: [],
    paidToPublisher: sale.state === "paid",
    reason: sale.state === "void" ? "not_given" : null,
    orderReference: null,
    purchasedAt: new Date(sale.soldAt),
    clickedAt: null,
    validatedAt: null,
    modifiedAt: new Date(sale.changedAt),
    observedAt,
    raw,
  };
}

const lantern = defineNetwork({
  slug: "lantern",
  name: "Lantern",
  environment: z.object({
    LANTERN_KEY: header.optional().describe("The key of Lantern's report API."),
    LANTERN_PUSH_SECRET: pathSegment.optional().describe("Last part of the address Lantern pushes sales to."),
  }),
  required: { LANTERN_KEY: "Set the key that Lantern shows under Reports." },
  secrets: { LANTERN_PUSH_SECRET: 24 },
  readSettings: ({ LANTERN_KEY, LANTERN_PUSH_SECRET }, { isDevelopment, standInUrl }) => ({
    key: LANTERN_KEY ?? "development-key",
    apiUrl: isDevelopment ? `${standInUrl}/lantern` : "https://api.lantern.test",
    pushSecret: LANTERN_PUSH_SECRET ?? null,
    pollSeconds: 60,
  }),
  createProvider({ key, apiUrl }, replaced = {}) {
    const now = replaced.now ?? (() => new Date());
    const budget = createCallBudget({ calls: 30, perMs: 60_000 });
    const client = {
      network: "Lantern",
      headers: { "x-key": key },
      budget,
      timeoutMs: 5_000,
      fetch: replaced.fetch ?? fetch,
    };
    async function ask(parameters: Record<string, string>): Promise<ReportAnswer> {
      const observedAt = now();
      const rows = listOf(
        "Lantern",
        await fetchReport(client, new URL(`/sales?${new URLSearchParams(parameters)}`, apiUrl)),
      );
      return readSales(rows, observedAt);
    }
    const readSales = (rows: readonly unknown[], observedAt: Date) =>
      readReportRows(
        rows,
        (row) => readSale(row, observedAt),
        () => "Lantern sale",
      );
    const file = {
      network: "Lantern",
      list: [],
      fields: ["sale", "shop", "tag", "state", "basketPence", "feePence", "soldAt", "changedAt"],
      parseJson: parseExactJson,
    };
    return {
      slug: "lantern",
      linkOrigins: [],
      passes: ["amendment"],
      buildLink: ({ networkProgrammeId, landingUrl, reference }) =>
        `https://go.lantern.test/${encodeURIComponent(networkProgrammeId)}?${new URLSearchParams({ to: landingUrl, tag: reference })}`,
      readPush({ body }) {
        const push = pushSchema.safeParse(parseJson(new TextDecoder().decode(body)));
        return push.success
          ? { outcome: "read", networkTransactionId: push.data.sale }
          : { outcome: "unreadable", problem: "there is no sale in it" };
      },
      fetchTransactions: async function* ({ from, to }) {
        for (const window of splitTime(from, to, 7 * DAY_MS)) {
          const answer = await ask({ from: window.from.toISOString(), to: window.to.toISOString() });
          yield { ...answer, coveredUntil: window.to };
        }
      },
      fetchTransactionsById: async (ids) =>
        ids.length === 0 ? { transactions: [], unreadable: [] } : ask({ sales: ids.join(",") }),
      readReportFile: (text, observedAt) => readReportFile(text, file, (rows) => readSales(rows, observedAt)),
      callsLeft: () => budget.left(),
    };
  },
  feed: {
    timeZone: "America/New_York",
    programmes: {
      lists: ["shops"],
      schema: z
        .object({
          shop: z.string().min(1).max(40),
          title: plainText(80),
          site: httpUrl,
          fees: z.array(
            z.object({ code: z.string().min(1), what: plainText(200), percent: z.number().min(0).max(100) }),
          ),
        })
        .transform(({ shop, title, site, fees }) => ({
          networkProgrammeId: shop,
          name: title,
          landingUrl: site,
          currency: "GBP",
          status: "joined" as const,
          description: "",
          validDomains: [],
          commissionGroups: fees.map(({ code, what, percent }) => ({
            groupId: code,
            label: what,
            kind: "percent" as const,
            rateBp: parseMinorUnits(percent),
          })),
        })),
      idField: "shop",
      fieldNames: { commissionGroups: "fees" },
    },
    promotions: {
      lists: ["deals"],
      schema: z
        .object({
          deal: z.string().min(1).max(40),
          shop: z.string().min(1),
          headline: plainText(200),
          page: httpUrl,
          from: instantText,
          until: instantText.nullable(),
        })
        .transform(({ deal, shop, headline, page, from, until }) => ({
          networkOfferId: deal,
          networkProgrammeId: shop,
          kind: "deal" as const,
          title: headline,
          description: "",
          terms: "",
          landingUrl: page,
          startsAt: from,
          endsAt: until,
          code: null,
        })),
      idField: "deal",
      fieldNames: { networkProgrammeId: "shop", startsAt: "from", endsAt: "until" },
    },
  },
});

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const definitions = [...allNetworks, lantern];
const deployment = { isDevelopment: false, standInUrl: "http://localhost:3001" };
const variables = { LANTERN_KEY: "key-of-lantern", LANTERN_PUSH_SECRET: "9hQ2vXw7LmZ4tRk8cYb1NsGe" };
const sale = {
  sale: "S1001",
  shop: "acorn",
  tag: null as string | null,
  state: "open",
  basketPence: 10_000,
  feePence: 800,
  soldAt: "2026-10-02T11:00:00Z",
  changedAt: "2026-10-02T11:00:00Z",
};
const shop = {
  shop: "acorn",
  title: "Acorn Lamps",
  site: "https://acorn-lamps.example/",
  fees: [{ code: "all", what: "Everything", percent: 7.5 }],
};
const deal = {
  deal: "D1",
  shop: "acorn",
  headline: "Half-price lamps",
  page: "https://acorn-lamps.example/half",
  from: "2026-10-01T00:00:00",
  until: null,
};

const read = {
  networkTransactionId: "S1001",
  networkProgrammeId: "acorn",
  clickReference: null,
  status: "pending" as const,
  currency: "GBP",
  saleMinor: 10_000,
  commissionMinor: 800,
  parts: [],
  paidToPublisher: false,
  reason: null,
  orderReference: null,
  purchasedAt: new Date(sale.soldAt),
  clickedAt: null,
  validatedAt: null,
  modifiedAt: new Date(sale.changedAt),
};

affiliateContract({
  name: "Lantern",
  create: (parts) => lantern.createProvider(lantern.readSettings(variables, deployment), parts),
  readLink: ({ pathname, searchParams }) => ({
    networkProgrammeId: decodeURIComponent(pathname.slice(1)),
    landingUrl: searchParams.get("to"),
    reference: searchParams.get("tag"),
  }),
  push: (id) => ({
    contentType: "application/json",
    body: new TextEncoder().encode(JSON.stringify({ sale: `S${id}` })),
  }),
  pushedId: (id) => `S${id}`,
  answer: (rows) => Response.json(rows),
  pages: { notHere: "Lantern answers a week whole." },
  cases: {
    pending: { row: sale, becomes: read },
    approved: { notHere: "Lantern approves a sale by paying for it." },
    "declined with a reason": { notHere: "Lantern gives no reasons." },
    "declined for an unknown reason": {
      row: { ...sale, state: "void" },
      becomes: { ...read, status: "declined", reason: "not_given" },
    },
    "paid to us": {
      row: { ...sale, state: "paid" },
      becomes: { ...read, status: "approved", paidToPublisher: true },
    },
    amended: {
      row: { ...sale, basketPence: 9_000, changedAt: "2026-10-02T11:00:00Z" },
      becomes: { ...read, saleMinor: 9_000, modifiedAt: new Date("2026-10-02T11:00:00Z") },
    },
    "without a reference": { row: { ...sale, tag: null }, becomes: read },
    "of a lead": { notHere: "Lantern knows sales only." },
    "in a foreign currency": { notHere: "Lantern reports pounds only." },
    "in a currency without pennies": { notHere: "Lantern reports pounds only." },
    "approved item by item": { notHere: "Lantern reports baskets without items." },
    "at a moment of daylight saving time": { notHere: "Lantern writes its dates in UTC." },
    "with amounts as text": { notHere: "Lantern writes amounts as whole pence." },
  },
  corrections: { notHere: "Lantern changes the sale itself." },
  secrets: [variables.LANTERN_KEY!],
  unreadableRow: { ...sale, basketPence: "a lot" },
  maxWindowDays: 7,
  windowOf(request) {
    const { searchParams } = new URL(request.url);
    return { from: new Date(searchParams.get("from")!), to: new Date(searchParams.get("to")!) };
  },
  feed: {
    adapter: lantern.feed!,
    programme: {
      record: shop,
      becomes: {
        networkProgrammeId: "acorn",
        name: "Acorn Lamps",
        landingUrl: "https://acorn-lamps.example/",
        currency: "GBP",
        status: "joined",
        description: "",
        validDomains: [],
        commissionGroups: [{ groupId: "all", label: "Everything", kind: "percent", rateBp: 750 }],
      },
    },
    promotion: {
      record: deal,
      becomes: {
        networkOfferId: "D1",
        networkProgrammeId: "acorn",
        kind: "deal",
        title: "Half-price lamps",
        description: "",
        terms: "",
        landingUrl: "https://acorn-lamps.example/half",
        startsAt: "2026-10-01T00:00:00",
        endsAt: null,
        code: null,
      },
    },
  },
});

describe("P3 settings of several networks", () => {
  const problems = (given: Record<string, string>) =>
    networkProblems("production", given, { definitions, makeSecret: "Make one." });

  test("P3 a network is set up by its variables alone", () => {
    const settings = readNetworkSettings(variables, deployment, definitions);
    expect(settings).toEqual({
      lantern: {
        key: "key-of-lantern",
        apiUrl: "https://api.lantern.test",
        pushSecret: variables.LANTERN_PUSH_SECRET,
        pollSeconds: 60,
      },
    });
    expect(problems(variables)).toEqual({ missing: [], weak: [] });
    expect(Object.keys(networkVariables(definitions))).toContain("LANTERN_KEY");
  });

  test("P3 a network with some of its settings reports what is missing, and one without any reports nothing", () => {
    expect(problems({ LANTERN_PUSH_SECRET: "a".repeat(24) })).toEqual({
      missing: ["LANTERN_KEY is not set, and production needs it. Set the key that Lantern shows under Reports."],
      weak: [expect.stringMatching(/^LANTERN_PUSH_SECRET repeats itself.* Make one\.$/)],
    });
  });

  test("P3 without any network the settings of the default one are required", () => {
    expect(problems({}).missing.map((line) => line.split(" ")[0])).toEqual([
      "AWIN_PUBLISHER_ID",
      "AWIN_API_TOKEN",
      "AWIN_PUSH_SECRET",
    ]);
  });

  test("P3 a development machine has every network, pointed at the sandbox", () => {
    const settings = readNetworkSettings({}, { ...deployment, isDevelopment: true }, definitions);
    expect(Object.keys(settings)).toEqual(["awin", "cj", "rakuten", "impact", "partnerize", "lantern"]);
    expect(settings["lantern"]).toMatchObject({ apiUrl: "http://localhost:3001/lantern" });
  });
});

describe("C2 a second network, from its files to a member's cashback", async () => {
  const { db } = await testDatabase();
  const logger = { info() {}, warn() {}, error() {} };
  const clicks = createClickRecorder({ db });
  const now = () => new Date("2026-10-02T12:00:00Z");
  let reported = { ...sale };
  const opened = openNetworks(readNetworkSettings(variables, deployment, definitions), {
    definitions,
    now,
    fetch: async () => Response.json([reported]),
  });
  let brandId: string;
  let memberId: string;
  beforeAll(async () => {
    brandId = (await insertBrand(db)).id;
    memberId = (await insertVerifiedMember(db, { brandId })).id;
    await seedNetworks(db, { adapters: definitions });
  });
  afterAll(() => clicks.close());

  const balances = async () => (await findCashbackTimeline(db, { memberId, now: now() })).balances;
  const importFeed = (promotions: unknown[]) =>
    importCatalogue(db, {
      network: "lantern",
      feed: lantern.feed,
      now: now(),
      programmes: textSource("shops.json", `{"shops": ${recordsFile(shop)}}`),
      promotions: textSource("deals.json", `{"deals": ${recordsFile(...promotions)}}`),
    });

  test("C2 problems in its files are reported in its adapter's words", async () => {
    const result = await importFeed([deal, { ...deal, deal: "D2", shop: "nowhere" }]);
    expect(result.outcome === "refused" && result.problems.map(describeProblem)).toEqual([
      "deals.json, line 3 (record 1, id D2), shop: no programme nowhere is known on this network; import the programmes file with it first",
    ]);
  });

  test("C2 import, link, push and report lead to the member's money", async () => {
    expect((await importFeed([deal])).outcome).toBe("imported");
    const offer = await db
      .selectFrom("offers")
      .selectAll()
      .where("network_offer_id", "=", "D1")
      .executeTakeFirstOrThrow();
    expect(offer.starts_at).toEqual(new Date("2026-10-01T04:00:00Z")); // midnight in New York
    await db.insertInto("brand_retailers").values({ brand_id: brandId, retailer_id: offer.retailer_id }).execute();

    const go = goAppForTests({ db, clicks, brandId, memberId, now, networks: opened.networks });
    const followed = await go.request(`http://club.test/go/offers/${offer.public_id}`);
    const link = new URL(followed.headers.get("location")!);
    expect(link.origin + link.pathname).toBe("https://go.lantern.test/acorn");
    reported = { ...sale, tag: link.searchParams.get("tag") };

    const pushed = await networkWebhooks({ db, ...opened, now }).request(
      `http://club.test/webhooks/lantern/${variables.LANTERN_PUSH_SECRET}`,
      { method: "POST", body: JSON.stringify({ sale: "S1001" }), headers: { "content-type": "application/json" } },
    );
    expect(pushed.status).toBe(200);
    expect(await confirmDuePushes({ db, ...opened, now, logger })).toBe(1);
    expect(await balances()).toMatchObject({ trackedPence: 600 });

    reported = { ...reported, state: "void", changedAt: "2026-10-02T11:30:00Z" };
    await pollReports({ db, ...opened, now, logger });
    expect(await balances()).toMatchObject({ trackedPence: 0 });
  });
});
