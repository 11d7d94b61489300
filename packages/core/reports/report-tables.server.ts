import { addDays } from "../telemetry/rules.ts";
import { readMoneyMonths } from "./money-months.server.ts";
import {
  readBrands,
  readFunnel,
  readMemberGrowth,
  readOfferConversions,
  readSearchesWithoutResult,
  readTopSearches,
  type ReportSources,
} from "./queries.server.ts";
import type { BrandFigures, Funnel, FunnelCounts, SearchedTerm } from "./report-view.ts";
import type { ReportName } from "./reports.ts";
import { addCounts, noCounts, percentOf } from "./rules.ts";
import type { DrawnReport, ReportCell, ReportChart, ReportColumn, ReportOptions } from "./report-table.ts";

type ReadReport = (sources: ReportSources, options: ReportOptions) => Promise<DrawnReport>;

/** Every report as a table and charts: what the command prints and the admin draws (T7). Amounts are pence. */
const reports: Readonly<Record<ReportName, ReadReport>> = {
  funnel: async (sources, { range }) => {
    const rows = stepsOf(await readFunnel(sources, range));
    return {
      columns: [text("Step"), count("Number"), percent("Of the step it follows")],
      rows,
      charts: [{ kind: "bars", title: "Steps", unit: "count", bars: rows.map(([label, value]) => ({ label, value })) }],
    };
  },

  "funnel-days": async (sources, { range }) => {
    const { days } = await readFunnel(sources, range);
    const byDay = new Map<string, FunnelCounts>();
    for (const day of days) byDay.set(day.day, addCounts(byDay.get(day.day) ?? noCounts, day));
    const lines = (title: string, unit: ReportChart["unit"], series: [string, keyof FunnelCounts][]): ReportChart => ({
      ...{ kind: "lines", title, unit, days: daysOf(range), step: "day" },
      series: series.map(([name, key]) => ({
        name,
        values: daysOf(range).map((day) => (byDay.get(day) ?? noCounts)[key]),
      })),
    });
    return {
      columns: [day("Day"), text("Brand"), ...countColumns.map(summed)],
      rows: days.map((each) => [each.day, each.brand, ...countsOf(each)]),
      charts: [
        lines("Views and clicks", "count", [
          ["Views", "views"],
          ["Reveals", "reveals"],
          ["Clicks", "clicks"],
        ]),
        lines("Clicks with a purchase", "count", [
          ["Tracked", "tracked"],
          ["Confirmed", "confirmed"],
        ]),
        lines("Money", "money", [
          ["Sales", "salePence"],
          ["Cashback", "cashbackPence"],
        ]),
      ],
    };
  },

  searches: async (sources, { range, max }) => searchTable(await readTopSearches(sources, range, { max })),

  "searches-without-result": async (sources, { range, max }) =>
    searchTable(await readSearchesWithoutResult(sources, range, { max })),

  offers: async (sources, { range, max, minClicks }) => {
    const offers = await readOfferConversions(sources, range, { max, minClicks });
    const shares = offers.map((offer) => ({
      label: `${offer.title} (${offer.retailer})`,
      value: percentOf(offer.tracked, offer.clicks) ?? 0,
    }));
    return {
      columns: [
        ...[text("Brand"), text("Offer"), text("Title"), text("Retailer")],
        ...[percent("Tracked per click"), ...countColumns],
      ],
      rows: offers.map((offer) => [
        ...[offer.brand, offer.offer, offer.title, offer.retailer, percentOf(offer.tracked, offer.clicks)],
        ...countsOf(offer),
      ]),
      charts: [{ kind: "bars", title: "Purchases tracked per click", unit: "percent", bars: shares }],
    };
  },

  brands: async (sources, { range }) => {
    const brands = await readBrands(sources, range);
    const bars = (title: string, unit: ReportChart["unit"], value: (brand: BrandFigures) => number): ReportChart => ({
      ...{ kind: "bars", title, unit },
      bars: brands.map((each) => ({ label: each.brand, value: value(each) })),
    });
    return {
      columns: [
        text("Brand"),
        ...[count("Searches"), ...countColumns, count("Joined"), count("Left"), count("Members")].map(summed),
      ],
      rows: brands.map((brand) => [
        ...[brand.brand, brand.searches, ...countsOf(brand), brand.joined, brand.left, brand.members],
      ]),
      charts: [
        bars("Clicks to retailers", "count", ({ clicks }) => clicks),
        bars("Cashback of these clicks", "money", ({ cashbackPence }) => cashbackPence),
        bars("Members who joined", "count", ({ joined }) => joined),
        bars("Members at the end", "count", ({ members }) => members),
      ],
    };
  },

  members: async ({ db }, { range }) => {
    const growth = await readMemberGrowth(db, range);
    const total = (key: "joined" | "left" | "members") =>
      daysOf(range).map((each) => growth.filter((row) => row.day === each).reduce((sum, row) => sum + row[key], 0));
    return {
      columns: [day("Day"), text("Brand"), summed(count("Joined")), summed(count("Left")), count("Members")],
      rows: growth.map((each) => [each.day, each.brand, each.joined, each.left, each.members]),
      charts: [
        {
          ...{ kind: "lines", title: "Joined and left", unit: "count", days: daysOf(range), step: "day" },
          series: [
            { name: "Joined", values: total("joined") },
            { name: "Left", values: total("left") },
          ],
        },
        {
          ...{ kind: "lines", title: "Members", unit: "count", days: daysOf(range), step: "day" },
          series: [{ name: "Members", values: total("members") }],
        },
      ],
    };
  },

  money: async ({ db }, { range }) => {
    const months = await readMoneyMonths(db, range);
    const series = (name: string, key: Exclude<keyof (typeof months)[number], "month">) => ({
      name,
      values: months.map((each) => each[key]),
    });
    const days = months.map((each) => each.month);
    return {
      columns: [
        month("Month"),
        ...[
          ...[money("Tracked"), money("Confirmed"), money("Declined"), money("Payable"), money("Bonuses")],
          ...[money("Goodwill"), money("Gift-card cashback"), count("Payouts asked for"), money("Asked for")],
          ...[money("Paid to members"), money("Not paid after all"), money("Commission received"), money("Our share")],
        ].map(summed),
      ],
      rows: months.map((each) => [
        ...[each.month, each.tracked, each.confirmed, each.declined, each.payable, each.bonuses],
        ...[each.goodwill, each.cardCashback, each.payouts, each.requested, each.paid, each.unpaid],
        ...[each.commission, each.share],
      ]),
      charts: [
        {
          ...{ kind: "lines", title: "Cashback", unit: "money", days, step: "month" },
          series: [series("Tracked", "tracked"), series("Confirmed", "confirmed"), series("Payable", "payable")],
        },
        {
          ...{ kind: "lines", title: "Payouts", unit: "money", days, step: "month" },
          series: [series("Asked for", "requested"), series("Paid to members", "paid")],
        },
      ],
    };
  },
};

/** Reads a report. */
export function readReport(name: ReportName, sources: ReportSources, options: ReportOptions): Promise<DrawnReport> {
  return reports[name](sources, options);
}

const text = (label: string): ReportColumn => ({ label, kind: "text" });
const month = (label: string): ReportColumn => ({ label, kind: "month" });
const day = (label: string): ReportColumn => ({ label, kind: "day" });
const count = (label: string): ReportColumn => ({ label, kind: "count" });
const money = (label: string): ReportColumn => ({ label, kind: "money" });
const percent = (label: string): ReportColumn => ({ label, kind: "percent" });

const summed = (column: ReportColumn): ReportColumn => ({ ...column, isSummed: true });

const countColumns = [
  ...["Views", "Redemptions", "Reveals", "Clicks", "Tracked", "Confirmed"].map(count),
  ...["Sales", "Cashback"].map(money),
];

const countsOf = (counts: FunnelCounts): number[] => [
  ...[counts.views, counts.redemptions, counts.reveals, counts.clicks, counts.tracked, counts.confirmed],
  ...[counts.salePence, counts.cashbackPence],
];

/** The steps of offers, and then those of members who went to a shop from its own page: they are no part of what offers' pages lead to. */
function stepsOf({ total, ofRetailers }: Funnel): [string, number, number | null][] {
  const clicks = total.clicks - ofRetailers.clicks;
  const tracked = total.tracked - ofRetailers.tracked;
  const confirmed = total.confirmed - ofRetailers.confirmed;
  return [
    ["Views of offers", total.views, null],
    ["Redemptions", total.redemptions, percentOf(total.redemptions, total.views)],
    ["Codes revealed", total.reveals, percentOf(total.reveals, total.views)],
    ["Clicks on offers", clicks, percentOf(clicks, total.views)],
    ["Clicks on offers with a purchase tracked", tracked, percentOf(tracked, clicks)],
    ["Clicks on offers with a purchase confirmed", confirmed, percentOf(confirmed, tracked)],
    ["Clicks on retailers’ pages", ofRetailers.clicks, null],
    [
      "Clicks on retailers’ pages with a purchase tracked",
      ofRetailers.tracked,
      percentOf(ofRetailers.tracked, ofRetailers.clicks),
    ],
    [
      "Clicks on retailers’ pages with a purchase confirmed",
      ofRetailers.confirmed,
      percentOf(ofRetailers.confirmed, ofRetailers.tracked),
    ],
  ];
}

function searchTable(terms: readonly SearchedTerm[]): DrawnReport {
  const rows: ReportCell[][] = terms.map(({ brand, term, searches, results, checkedAt }) => [
    ...[brand, term, searches, results, checkedAt],
  ]);
  return {
    columns: [
      ...[text("Brand"), text("Term"), count("Searches"), count("Results")],
      { label: "Looked up", kind: "moment" },
    ],
    rows,
    charts: [
      {
        ...{ kind: "bars", title: "Searches", unit: "count" },
        bars: terms.map(({ term, brand, searches }) => ({ label: `${term} (${brand})`, value: searches })),
      },
    ],
  };
}

function daysOf({ from, to }: ReportOptions["range"]): string[] {
  const days: string[] = [];
  for (let at = from; at <= to; at = addDays(at, 1)) days.push(at);
  return days;
}
