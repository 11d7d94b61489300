import type { Context, Hono } from "hono";
import { isOpen, type Network } from "../network.ts";
import type { TransactionRow } from "../transactions.ts";
import { failure, queryRoutes } from "./partnerize-queries.ts";
import { advertiserOf, campaignId, conversionOf } from "./partnerize-rows.ts";
import { isZone, partnerizeDate } from "./partnerize-time.ts";

const PAGE_SIZE = 300;
const MINUTE_MS = 60_000;
/** Partnerize publishes no limit; this is the sandbox's. */
const MAX_CALLS_PER_MINUTE = 60;
const DATE_COLUMNS: Readonly<Record<string, string>> = {
  approved_at: "case when status = 'approved' then validated_at end",
  last_updated: "changed_at",
  last_modified: "changed_at",
};

/** Partnerize's partner API (version 1), with what a cashback publisher uses. */
export function partnerizeApi(app: Hono, network: Network): void {
  const { credentials, publisherId, state, catalogue } = network;
  const calls: number[] = [];

  const guard = async (context: Context, next: () => Promise<void>): Promise<Response | void> => {
    context.header("Cache-Control", "no-store");
    const keys = `${credentials["applicationKey"] ?? ""}:${credentials["userApiKey"] ?? ""}`;
    if (context.req.header("authorization") !== `Basic ${Buffer.from(keys).toString("base64")}`)
      return failure(context, "Permission Denied", 401);
    const id = context.req.param("id");
    if (!context.req.path.includes("/job/") && id !== publisherId) return failure(context, "Permission Denied", 403);
    if (network.rateLimited) {
      const now = network.now();
      while (calls[0] !== undefined && calls[0] <= now - MINUTE_MS) calls.shift();
      if (calls.length >= MAX_CALLS_PER_MINUTE) {
        context.header("X-RateLimit-Retry-After", String(Math.ceil((calls[0]! + MINUTE_MS - now) / 1000)));
        return failure(context, "Too Many Requests", 429);
      }
      calls.push(now);
    }
    return next();
  };
  app.use("/reporting/report_publisher/publisher/:id/*", guard);
  app.use("/user/publisher/:id/*", guard);
  app.use("/job/:id/*", guard);

  app.get("/reporting/report_publisher/publisher/:id/conversion.json", (context) => {
    const from = instant(context.req.query("start_date"));
    const to = instant(context.req.query("end_date")) ?? network.now();
    const zone = context.req.query("timezone") ?? "Europe/London";
    if (from === null) return failure(context, "start_date is not valid");
    if (!isZone(zone)) return failure(context, "timezone is not valid");
    const dateType = context.req.query("date_type");
    const column = dateType === undefined ? "transacted_at" : DATE_COLUMNS[dateType];
    if (column === undefined) return failure(context, "date_type is not valid");
    const limit = Math.min(
      Math.max(Math.trunc(Number(context.req.query("limit") ?? PAGE_SIZE)) || PAGE_SIZE, 1),
      PAGE_SIZE,
    );
    // One row more than the page shows whether there is a next one.
    const rows = state.all<TransactionRow>(
      `select * from transactions where network = ? and ${column} >= ? and ${column} < ? and id > ? order by id limit ?`,
      network.slug,
      from,
      to + 1000,
      Number(context.req.query("cursor_id") ?? 0) || 0,
      limit + 1,
    );
    const page = rows.slice(0, limit);
    const next = new URL(context.req.url);
    next.searchParams.set("cursor_id", String(page.at(-1)?.id ?? 0));
    return context.json({
      start_date_time_utc: partnerizeDate(from, "UTC"),
      end_date_time_utc: partnerizeDate(to, "UTC"),
      start_date_time: partnerizeDate(from, zone),
      end_date_time: partnerizeDate(to, zone),
      limit,
      execution_time: "0.04266 seconds",
      conversions: page.map((row) =>
        conversionOf(state, row, {
          zone,
          withPayment: context.req.query("include_payment_info") === "true",
          publisherId,
        }),
      ),
      hypermedia: {
        pagination: {
          first_page: next.pathname,
          next_page: rows.length > limit ? `${next.pathname}${next.search}` : null,
        },
      },
    });
  });

  app.get("/user/publisher/:id/campaign/:status{[apr]}", (context) =>
    context.json({
      campaigns: catalogue
        .programmes()
        .filter((one) => isOpen(one) === (context.req.param("status") === "a"))
        .map((one) => ({
          campaign: {
            campaign_id: campaignId(one.id),
            title: one.name,
            destination_url: one.displayUrl,
            camref: `1011l${one.id}`,
            default_currency: one.currencyCode ?? "GBP",
            publisher_status: context.req.param("status"),
            status: "a",
            description: { en: "" },
            allow_deep_linking: "y",
            deep_link_domains: (one.validDomains ?? []).map(({ domain }) => domain),
            commissions: (one.commissionGroups ?? []).map((group) => ({
              commission_id: String(group.groupId),
              title: group.groupName,
              performance_model: group.type === "percentage" ? "percentage" : "fixed_cpa",
              performance_value: String((group.type === "percentage" ? group.percentage : group.amount) ?? 0),
              currency: group.currency ?? one.currencyCode ?? "GBP",
            })),
            reporting_timezone: "Europe/London",
          },
        })),
    }),
  );

  app.get("/user/publisher/:id/campaign/:campaign/voucher", (context) => {
    const programme = catalogue.programme(advertiserOf(context.req.param("campaign")) ?? 0);
    if (!programme) return failure(context, "Campaign could not be found", 404);
    const promotions = catalogue.promotionsOf(programme.id);
    return context.json({
      count: promotions.length,
      voucher_codes: promotions.map((one) => ({
        voucher_code: {
          voucher_code_id: `1111l${one.promotionId}`,
          campaign_id: campaignId(programme.id),
          active: "y",
          voucher_code: one.voucher?.code ?? "",
          title: one.title,
          description: "",
          destination_url: programme.displayUrl,
          start_date_time: one.startDate ?? "",
          end_date_time: one.endDate ?? null,
        },
      })),
    });
  });
  queryRoutes(app, network);
}

function instant(text: string | undefined): number | null {
  if (text === undefined || !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}Z?$/.test(text)) return null;
  const time = Date.parse(`${text.replace(" ", "T").replace(/Z$/, "")}Z`);
  return Number.isNaN(time) ? null : time;
}
