import { Hono, type Context } from "hono";
import { timingSafeEqual } from "node:crypto";
import type { StateValue } from "../state/state.ts";
import { isReportTimeZone, parseReportDateTime } from "./network-time.ts";
import type { Network } from "./network.ts";
import { filterPromotions, type PromotionsRequest } from "./promotions-filter.ts";
import { reportRow } from "./report-row.ts";
import type { TransactionRow } from "./transactions.ts";

const longestRange = 31 * 86_400_000;
const callsAMinute = 20;
const dateColumns = { transaction: "transacted_at", validation: "validated_at", amendment: "amended_at" } as const;
const statuses = ["pending", "approved", "declined", "deleted"];

/** Awin's publisher API, as far as a cashback publisher uses it. Mounted at the API's base address. */
export function reportApi(network: Network): Hono {
  const api = new Hono();
  const calls: number[] = [];

  api.use(async (c, next) => {
    c.header("Cache-Control", "no-store");
    if (!bearsToken(c, network.apiToken))
      return problem(c, 401, "Unauthorized", "The access token is missing or is not valid.");
    if (network.rateLimited) {
      const since = network.now() - 60_000;
      while (calls[0] !== undefined && calls[0] <= since) calls.shift();
      if (calls.length >= callsAMinute)
        return problem(c, 429, "Too Many Requests", "You have exceeded the limit of 20 API calls per minute.");
      calls.push(network.now());
    }
    return next();
  });

  for (const path of ["/publishers/:id/*", "/publisher/:id/*"]) {
    api.use(path, (c, next) =>
      c.req.param("id") === String(network.publisherId)
        ? next()
        : Promise.resolve(problem(c, 403, "Forbidden", `You have no access to publisher ${c.req.param("id")}.`)),
    );
  }

  api.get("/publishers/:id/transactions/", (c) => transactions(c, network));
  api.get("/publishers/:id/transactions", (c) => transactions(c, network));

  api.get("/publishers/:id/programmes", (c) => {
    const relationship = c.req.query("relationship") ?? "joined";
    const country = c.req.query("countryCode");
    if (relationship !== "joined") return c.json([]);
    return c.json(
      network.catalogue.programmes().filter((one) => !country || one.primaryRegion?.countryCode === country),
    );
  });

  api.get("/publishers/:id/commissiongroups", (c) => {
    const programme = network.catalogue.programme(Number(c.req.query("advertiserId")));
    if (!programme) return problem(c, 404, "Not Found", "There is no programme with this advertiserId.");
    return c.json({
      advertiser: programme.id,
      publisher: network.publisherId,
      commissionGroups: programme.commissionGroups ?? [],
    });
  });

  api.post("/publisher/:id/promotions", async (c) => {
    const text = await c.req.text();
    let request: PromotionsRequest;
    try {
      request = (text ? JSON.parse(text) : {}) as PromotionsRequest;
    } catch {
      return problem(c, 400, "Bad Request", "The request body is not valid JSON.");
    }
    return c.json(filterPromotions(network.catalogue.promotions(), request, network.now()));
  });

  api.notFound((c) => problem(c, 404, "Not Found", "There is no such API method."));
  return api;
}

function transactions(c: Context, network: Network): Response {
  const timezone = c.req.query("timezone") ?? "UTC";
  if (!isReportTimeZone(timezone))
    return problem(c, 400, "Bad Request", `The timezone "${timezone}" is not supported.`);
  const found = c.req.query("ids") === undefined ? byDates(c, network, timezone) : byIds(c, network);
  if (typeof found === "string") return problem(c, 400, "Bad Request", found);
  const showBasketProducts = c.req.query("showBasketProducts") === "true";
  return c.json(
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

/** The rows, or what is wrong with the request. Both ends of the range belong to it. */
function byDates(
  c: Context,
  network: Network,
  timezone: Parameters<typeof parseReportDateTime>[1],
): TransactionRow[] | string {
  const start = parseReportDateTime(c.req.query("startDate") ?? "", timezone);
  const end = parseReportDateTime(c.req.query("endDate") ?? "", timezone);
  if (start === null || end === null)
    return "startDate and endDate are mandatory and must have the format yyyy-MM-ddThh:mm:ss.";
  if (end < start) return "endDate must not be before startDate.";
  if (end - start > longestRange)
    return "The date range between startDate and endDate must not be longer than 31 days.";
  const dateType = c.req.query("dateType") ?? "transaction";
  if (!(dateType in dateColumns)) return `The dateType "${dateType}" is not supported.`;
  const column = dateColumns[dateType as keyof typeof dateColumns];
  const status = c.req.query("status");
  if (status !== undefined && !statuses.includes(status)) return `The status "${status}" is not supported.`;
  const advertisers = numbersIn(c.req.query("advertiserId"));
  if (advertisers === null) return "advertiserId must be a number, or numbers separated by commas.";

  const wheres = [`${column} >= ?`, `${column} < ?`];
  // Dates are whole seconds and the last second counts in full.
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

function byIds(c: Context, network: Network): TransactionRow[] | string {
  const ids = numbersIn(c.req.query("ids"));
  if (!ids || ids.length === 0) return "ids must be transaction ids, separated by commas.";
  return network.state.all<TransactionRow>(
    "select * from transactions where id in (select value from json_each(?)) order by id",
    JSON.stringify(ids),
  );
}

/** "12,34" as numbers; none for an absent value; null when a part is no number. */
function numbersIn(text: string | undefined): number[] | null {
  if (!text) return [];
  const numbers = text.split(",").map((part) => (/^\s*\d+\s*$/.test(part) ? Number(part) : Number.NaN));
  return numbers.every(Number.isSafeInteger) ? numbers : null;
}

function bearsToken(c: Context, token: string): boolean {
  const header = /^Bearer\s+(.+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
  const given = Buffer.from(header ?? c.req.query("accessToken") ?? "");
  const wanted = Buffer.from(token);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

function problem(c: Context, status: 400 | 401 | 403 | 404 | 429, error: string, description: string): Response {
  return c.json({ error, description }, status);
}
