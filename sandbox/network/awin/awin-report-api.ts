import { Hono, type Context } from "hono";
import { timingSafeEqual } from "node:crypto";
import type { StateValue } from "../../state/state.ts";
import { isReportTimeZone, parseReportDateTime } from "../zone-time.ts";
import type { Network } from "../network.ts";
import { filterPromotions, type PromotionsRequest } from "./awin-promotions-filter.ts";
import { reportRow } from "./awin-report-row.ts";
import type { TransactionRow } from "../transactions.ts";

const MAX_RANGE_MS = 31 * 86_400_000;
const MAX_CALLS_PER_MINUTE = 20;
const dateColumns = { transaction: "transacted_at", validation: "validated_at", amendment: "amended_at" } as const;
const statuses = ["pending", "approved", "declined", "deleted"];

/** Awin's publisher API, with what a cashback publisher uses. Mounted at the API's base address. */
export function reportApi(network: Network): Hono {
  const api = new Hono();
  const calls: number[] = [];

  api.use(async (context, next) => {
    context.header("Cache-Control", "no-store");
    if (!bearsToken(context, network.credentials["token"] ?? ""))
      return problem(context, 401, "Unauthorized", "The access token is missing or is not valid.");
    if (network.rateLimited) {
      const since = network.now() - 60_000;
      while (calls[0] !== undefined && calls[0] <= since) calls.shift();
      if (calls.length >= MAX_CALLS_PER_MINUTE)
        return problem(context, 429, "Too Many Requests", "You have exceeded the limit of 20 API calls per minute.");
      calls.push(network.now());
    }
    return next();
  });

  for (const path of ["/publishers/:id/*", "/publisher/:id/*"]) {
    api.use(path, (context, next) =>
      context.req.param("id") === network.publisherId
        ? next()
        : Promise.resolve(
            problem(context, 403, "Forbidden", `You have no access to publisher ${context.req.param("id")}.`),
          ),
    );
  }

  api.get("/publishers/:id/transactions/", (context) => transactions(context, network));
  api.get("/publishers/:id/transactions", (context) => transactions(context, network));

  api.get("/publishers/:id/programmes", (context) => {
    const relationship = context.req.query("relationship") ?? "joined";
    const country = context.req.query("countryCode");
    if (relationship !== "joined") return context.json([]);
    return context.json(
      network.catalogue.programmes().filter((one) => !country || one.primaryRegion?.countryCode === country),
    );
  });

  api.get("/publishers/:id/commissiongroups", (context) => {
    const programme = network.catalogue.programme(Number(context.req.query("advertiserId")));
    if (!programme) return problem(context, 404, "Not Found", "There is no programme with this advertiserId.");
    return context.json({
      advertiser: programme.id,
      publisher: Number(network.publisherId),
      commissionGroups: programme.commissionGroups ?? [],
    });
  });

  api.post("/publisher/:id/promotions", async (context) => {
    const text = await context.req.text();
    let request: PromotionsRequest;
    try {
      request = (text ? JSON.parse(text) : {}) as PromotionsRequest;
    } catch {
      return problem(context, 400, "Bad Request", "The request body is not valid JSON.");
    }
    return context.json(filterPromotions(network.catalogue.promotions(), request, network.now()));
  });

  api.notFound((context) => problem(context, 404, "Not Found", "There is no such API method."));
  return api;
}

function transactions(context: Context, network: Network): Response {
  const timezone = context.req.query("timezone") ?? "UTC";
  if (!isReportTimeZone(timezone))
    return problem(context, 400, "Bad Request", `The timezone "${timezone}" is not supported.`);
  const found = context.req.query("ids") === undefined ? byDates(context, network, timezone) : byIds(context, network);
  if (typeof found === "string") return problem(context, 400, "Bad Request", found);
  const showBasketProducts = context.req.query("showBasketProducts") === "true";
  return context.json(
    found.map((row) =>
      reportRow(row, {
        timezone,
        showBasketProducts,
        siteUrl: "https://publisher.example/",
        advertiserCountry: network.catalogue.programme(row.advertiser_id)?.primaryRegion?.countryCode ?? "GB",
      }),
    ),
  );
}

/** Returns the rows, or the request's error. Both ends of the range are included. */
function byDates(
  context: Context,
  network: Network,
  timezone: Parameters<typeof parseReportDateTime>[1],
): TransactionRow[] | string {
  const start = parseReportDateTime(context.req.query("startDate") ?? "", timezone);
  const end = parseReportDateTime(context.req.query("endDate") ?? "", timezone);
  if (start === null || end === null)
    return "startDate and endDate are mandatory and must have the format yyyy-MM-ddThh:mm:ss.";
  if (end < start) return "endDate must not be before startDate.";
  if (end - start > MAX_RANGE_MS)
    return "The date range between startDate and endDate must not be longer than 31 days.";
  const dateType = context.req.query("dateType") ?? "transaction";
  if (!(dateType in dateColumns)) return `The dateType "${dateType}" is not supported.`;
  const column = dateColumns[dateType as keyof typeof dateColumns];
  const status = context.req.query("status");
  if (status !== undefined && !statuses.includes(status)) return `The status "${status}" is not supported.`;
  const advertisers = numbersIn(context.req.query("advertiserId"));
  if (advertisers === null) return "advertiserId must be a number, or numbers separated by commas.";

  const wheres = ["network = 'awin'", `${column} >= ?`, `${column} < ?`];
  // Dates are whole seconds; the last second is included.
  const values: StateValue[] = [start, end + 1000];
  if (status !== undefined) {
    wheres.push("status = ?");
    values.push(status);
  }
  if (advertisers.length > 0) {
    wheres.push(`advertiser_id in (${advertisers.map(() => "?").join(", ")})`);
    values.push(...advertisers);
  }
  return network.state.all<TransactionRow>(
    `select * from transactions where ${wheres.join(" and ")} order by ${column}, id`,
    ...values,
  );
}

function byIds(context: Context, network: Network): TransactionRow[] | string {
  const ids = numbersIn(context.req.query("ids"));
  if (!ids || ids.length === 0) return "ids must be transaction ids, separated by commas.";
  return network.state.all<TransactionRow>(
    "select * from transactions where network = 'awin' and id in (select value from json_each(?)) order by id",
    JSON.stringify(ids),
  );
}

/** Reads a list such as "12,34"; empty for an absent value; null if a part is not a number. */
function numbersIn(text: string | undefined): number[] | null {
  if (!text) return [];
  const numbers = text.split(",").map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  return numbers.every(Number.isSafeInteger) ? numbers : null;
}

function bearsToken(context: Context, token: string): boolean {
  const header = /^Bearer\s+(.+)$/i.exec(context.req.header("authorization") ?? "")?.[1];
  const given = Buffer.from(header ?? context.req.query("accessToken") ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function problem(context: Context, status: 400 | 401 | 403 | 404 | 429, error: string, description: string): Response {
  return context.json({ error, description }, status);
}
