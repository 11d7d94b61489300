/** Every report, in the order in which they are listed, with what people read about it. */
export const reportWords = {
  funnel: {
    title: "Funnel",
    about: "From an offer’s page to confirmed cashback: how many of each step. Then the same from retailers’ pages.",
    defaultDays: 28,
  },
  "funnel-days": {
    title: "Funnel by day",
    about: "The same steps on each day, from retailers’ pages too, with sales and cashback.",
    defaultDays: 28,
  },
  searches: { title: "Top searches", about: "What was searched for most, and how much it finds.", defaultDays: 28 },
  "searches-without-result": {
    title: "Searches without a result",
    about: "What was searched for and finds nothing: what members miss.",
    defaultDays: 28,
  },
  offers: {
    title: "Offers by conversion",
    about: "Purchases tracked for each click, the highest share first.",
    defaultDays: 28,
  },
  brands: { title: "Brands side by side", about: "Each brand’s members, searches, clicks and money.", defaultDays: 28 },
  members: { title: "Member growth", about: "Members who joined and left, by day.", defaultDays: 28 },
  money: {
    title: "Cashback and payouts",
    about: "What the ledger booked for members, by month.",
    defaultDays: 365,
  },
} as const satisfies Record<string, { title: string; about: string; defaultDays: number }>;

export type ReportName = keyof typeof reportWords;
export const reportNames = Object.keys(reportWords) as ReportName[];

export function isReportName(name: string): name is ReportName {
  return Object.hasOwn(reportWords, name);
}
