import type { Context, Hono } from "hono";
import type { Programme } from "../../catalogue/catalogue.ts";
import { isOpen, type Network } from "../network.ts";
import { eventsBetween, findTransaction, type TransactionRow } from "../transactions.ts";
import { error, inquiryRoutes } from "./impact-inquiries.ts";
import { actionOf, itemsOf, LOCKING_DAYS, transactionIdOf, updateOf } from "./impact-rows.ts";
import { parseImpactDate } from "./impact-time.ts";

const MAX_RANGE_MS = 45 * 86_400_000;
const HOUR_MS = 3_600_000;
const MAX_CALLS_PER_HOUR = 500;
const MIN_PAGE_SIZE = 2_000;
const MAX_PAGES = 10;
const UPDATES = new Set(["recorded", "amended", "declined", "deleted"]);

/** The dates that actions are filtered by, as SQL on the engine's transactions. State changes are not updates at Impact. */
const DATE_FILTERS = [
  ["ActionDateStart", "ActionDateEnd", "transacted_at"],
  ["LockingDateStart", "LockingDateEnd", `coalesce(validated_at, transacted_at + ${LOCKING_DAYS * 86_400_000})`],
  [
    "StartDate",
    "EndDate",
    "max(transacted_at, coalesce(amended_at, 0), case when status in ('declined', 'deleted') then validated_at else 0 end)",
  ],
] as const;

/** Impact's partner API, with what a cashback publisher uses. */
export function impactApi(app: Hono, network: Network): void {
  const { state, credentials } = network;
  const sid = credentials["accountSid"] ?? "";
  const account = `/Mediapartners/${sid}`;
  const calls: number[] = [];

  app.use("/:side{Mediapartners|Advertisers}/:sid/*", async (context, next) => {
    context.header("Cache-Control", "no-store");
    const wanted = `Basic ${Buffer.from(`${sid}:${credentials["authToken"] ?? ""}`).toString("base64")}`;
    if (context.req.header("authorization") !== wanted) return error(context, 401, "Authentication failed.");
    if (context.req.param("sid") !== sid) return error(context, 403, "Access denied.");
    if (network.rateLimited) {
      const now = network.now();
      while (calls[0] !== undefined && calls[0] <= now - HOUR_MS) calls.shift();
      context.header("X-RateLimit-Limit-hour", String(MAX_CALLS_PER_HOUR));
      context.header("X-RateLimit-Remaining-hour", String(Math.max(MAX_CALLS_PER_HOUR - calls.length - 1, 0)));
      if (calls.length >= MAX_CALLS_PER_HOUR) {
        context.header("Retry-After", String(Math.ceil((calls[0]! + HOUR_MS - now) / 1000)));
        return error(context, 429, "Too many requests.");
      }
      calls.push(now);
    }
    return next();
  });

  const find = (id: string): TransactionRow | undefined => {
    const own = transactionIdOf(id);
    const row = own === null ? undefined : findTransaction(state, own);
    return row?.network === network.slug ? row : undefined;
  };

  app.get("/Mediapartners/:sid/Actions", (context) => {
    const rows = actionsBetween(context, network);
    return typeof rows === "string"
      ? error(context, 400, rows)
      : list(context, "Actions", rows, (row) => actionOf(state, row, account));
  });
  app.get("/Mediapartners/:sid/Actions/:id", (context) => {
    const row = find(context.req.param("id"));
    return row ? context.json(actionOf(state, row, account)) : error(context, 404, "The action does not exist.");
  });
  app.get("/Mediapartners/:sid/Actions/:id/Items", (context) => {
    const row = find(context.req.param("id"));
    return row
      ? context.json({ ActionItems: itemsOf(row, account) })
      : error(context, 404, "The action does not exist.");
  });
  app.get("/Mediapartners/:sid/ActionUpdates", (context) => {
    const range = rangeOf(context, "StartDate", "EndDate");
    if (typeof range === "string") return error(context, 400, range);
    const events = eventsBetween(network, range.from, range.to + 999).filter(({ kind }) => UPDATES.has(kind));
    return list(context, "ActionUpdates", events.toReversed(), (event) =>
      updateOf(event, findTransaction(state, event.transaction_id)!, account),
    );
  });
  app.get("/Mediapartners/:sid/Campaigns", (context) =>
    list(context, "Campaigns", network.catalogue.programmes(), (one) => campaignOf(network, one)),
  );
  app.get("/Mediapartners/:sid/Campaigns/:id/Deals", (context) => {
    const programme = network.catalogue.programme(Number(context.req.param("id")));
    if (!programme) return error(context, 404, "The campaign does not exist.");
    return list(context, "Deals", network.catalogue.promotionsOf(programme.id), (one) => ({
      Id: String(one.promotionId),
      CampaignId: String(programme.id),
      Name: one.title,
      Description: "",
      State: "ACTIVE",
      DefaultPromoCode: one.voucher?.code ?? "",
      StartDate: one.startDate ?? "",
      EndDate: one.endDate ?? "",
      LandingPage: programme.displayUrl,
    }));
  });
  inquiryRoutes(app, network, account);
}

/** Returns the actions in the order of the API, the newest first; or the error's message. */
function actionsBetween(context: Context, network: Network): TransactionRow[] | string {
  const filter = DATE_FILTERS.find(([start]) => context.req.query(start) !== undefined);
  const [start, end, column] = filter ?? DATE_FILTERS[0];
  const range = rangeOf(context, start, end);
  if (typeof range === "string") return range;
  return network.state.all<TransactionRow>(
    `select * from transactions where network = ? and ${column} >= ? and ${column} < ? order by transacted_at desc, id desc`,
    network.slug,
    range.from,
    range.to + 1000,
  );
}

function rangeOf(context: Context, start: string, end: string): { from: number; to: number } | string {
  const from = parseImpactDate(context.req.query(start));
  const to = parseImpactDate(context.req.query(end));
  if (from === null || to === null) return `${start} and ${end} are required, as ISO 8601 with a time.`;
  if (to < from) return `${end} is before ${start}.`;
  return to - from > MAX_RANGE_MS ? `${start} and ${end} cannot be more than 45 days apart.` : { from, to };
}

/** Answers with one page of a list, as Impact pages: no page is smaller than 2,000 rows, and no list longer than ten pages. */
function list<T>(context: Context, key: string, rows: readonly T[], show: (row: T) => unknown): Response {
  const size = Number(context.req.query("PageSize") ?? 20_000);
  const page = Number(context.req.query("Page") ?? 1);
  if (!Number.isSafeInteger(size) || size < MIN_PAGE_SIZE)
    return error(context, 400, "PageSize must be at least 2000.");
  const pages = Math.max(1, Math.ceil(rows.length / size));
  if (pages > MAX_PAGES) return error(context, 400, "Too many records: increase PageSize or reduce the date range.");
  return context.json({
    "@page": String(page),
    "@numpages": String(pages),
    "@pagesize": String(size),
    "@total": String(rows.length),
    "@nextpageuri": page < pages ? `${new URL(context.req.url).pathname}?Page=${page + 1}` : "",
    [key]: rows.slice((page - 1) * size, page * size).map(show),
  });
}

function campaignOf(network: Network, programme: Programme) {
  const host = URL.parse(programme.displayUrl)?.hostname ?? "";
  return {
    AdvertiserId: String(programme.id),
    AdvertiserName: programme.name,
    CampaignId: String(programme.id),
    CampaignName: programme.name,
    CampaignUrl: programme.displayUrl,
    CampaignDescription: "",
    ContractStatus: isOpen(programme) ? "Active" : "Expired",
    TrackingLink: `https://shop${programme.id}.sjv.example/c/${network.publisherId}/650971/${programme.id}`,
    AllowsDeeplinking: "true",
    DeeplinkDomains: [host, ...(programme.validDomains ?? []).map(({ domain }) => domain)].filter(Boolean),
    Currency: programme.currencyCode ?? "GBP",
    PayoutTerms: (programme.commissionGroups ?? []).map((group) => ({
      TrackerId: String(group.groupId),
      TrackerName: group.groupName,
      PayoutType: group.type === "percentage" ? "PERCENTAGE" : "FIXED",
      PayoutPercentage: String(group.percentage ?? ""),
      PayoutAmount: String(group.amount ?? ""),
      PayoutCurrency: group.currency ?? programme.currencyCode ?? "GBP",
    })),
  };
}
