import { Hono, type Context } from "hono";
import { timingSafeEqual } from "node:crypto";
import type { CommissionGroup } from "../../catalogue/catalogue.ts";
import { postTo } from "../../deliveries/delivery-queue.ts";
import { amountText } from "../amounts.ts";
import { followClick } from "../follow-click.ts";
import type { Network } from "../network.ts";
import type { NetworkProtocol } from "../network-protocol.ts";
import { eventsOf, findTransaction, type TransactionEvent, type TransactionRow } from "../transactions.ts";
import { xmlElement } from "../xml-element.ts";

const DAY_MS = 86_400_000;
const MAX_WINDOW_MS = 31 * DAY_MS;
const PAGE_SIZE = 200;
/** A commission locks on the 10th of the month after next at most; the sandbox's lock thirty days after the sale. */
const LOCK_AFTER_MS = 30 * DAY_MS;

/**
 * CJ: GET /cj/click-<PID>-<advertiser>?sid=&url= leads to the advertiser's page; POST /cj/query is the commission report (GraphQL; the sandbox reads the
 * variables and answers with all fields). Corrections are further records with the action's id. No pushes.
 */
export const cjProtocol: NetworkProtocol = {
  slug: "cj",
  name: "CJ",
  account: (env) => ({
    publisherId: env["CJ_PROPERTY_ID"] || "8200002",
    credentials: {
      token: env["CJ_ACCESS_TOKEN"] || "development-token",
      companyId: env["CJ_COMPANY_ID"] || "200002",
    },
    pushSecret: null,
  }),
  isLink: (path) => path.startsWith("/click-"),
  routes(app, network) {
    app.get("/:link{click-.+}", (context) => {
      const [, property = null, programme = ""] = /^click-([^-]+)-([^-]+)$/.exec(context.req.param("link")) ?? [];
      return followClick(context, network, {
        programmeId: Number(programme),
        programmeField: "click-",
        publisherId: property,
        publisherField: "click-",
        clickRef: context.req.query("sid") || null,
        wantedUrl: context.req.query("url") || null,
      });
    });
    app.post("/query", (context) => report(context, network));
    app.route("/feeds", feeds(network));
  },
  pushText: null,
  sendPush: (url, text) => postTo(url, text),
};

interface Variables {
  forPublishers?: unknown;
  sinceCommissionId?: unknown;
  commissionIds?: unknown;
  [date: string]: unknown;
}

async function report(context: Context, network: Network): Promise<Response> {
  const sent = Buffer.from(context.req.header("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${network.credentials["token"]}`);
  if (sent.length !== wanted.length || !timingSafeEqual(sent, wanted))
    return context.json({ errors: [{ message: "Not authenticated" }] }, 401);
  const { query, variables = {} } = (await context.req.json().catch(() => ({}))) as {
    query?: string;
    variables?: Variables;
  };
  const refuse = (message: string) => context.json({ data: null, errors: [{ message }] });
  if (!query?.includes("publisherCommissions")) return refuse("Cannot query that field.");
  if (!Array.isArray(variables.forPublishers) || !variables.forPublishers.includes(network.credentials["companyId"]))
    return refuse("Not authorized for the requested publishers.");
  const found = Array.isArray(variables.commissionIds)
    ? records(network).filter(({ commissionId }) => (variables.commissionIds as unknown[]).includes(commissionId))
    : between(network, variables);
  if (typeof found === "string") return refuse(found);
  const since = typeof variables.sinceCommissionId === "string" ? Number(variables.sinceCommissionId) : 0;
  const rest = found
    .filter(({ commissionId }) => Number(commissionId) > since)
    .sort((a, b) => Number(a.commissionId) - Number(b.commissionId));
  const page = rest.slice(0, PAGE_SIZE);
  return context.json({
    data: {
      publisherCommissions: {
        count: page.length,
        payloadComplete: page.length === rest.length,
        maxCommissionId: page.at(-1)?.commissionId ?? null,
        records: page,
      },
    },
  });
}

/** Returns the records of a window of one kind of date, or why it is refused. */
function between(network: Network, variables: Variables) {
  for (const kind of ["Posting", "Locking", "Event"] as const) {
    const [since, before] = [variables[`since${kind}Date`], variables[`before${kind}Date`]];
    if (since === undefined) continue;
    const [from, to] = [Date.parse(String(since)), Date.parse(String(before))];
    if (Number.isNaN(from) || Number.isNaN(to)) return "Dates must be ISO 8601.";
    if (to - from > MAX_WINDOW_MS) return "The date range must not be longer than 31 days.";
    const field = `${kind.toLowerCase()}Date` as "postingDate" | "lockingDate" | "eventDate";
    return records(network).filter((record) => {
      const date = Date.parse(record[field]);
      return date >= from && date < to;
    });
  }
  return "A date range is required.";
}

/** Returns all records: one for each sale, and one for each correction. */
function records(network: Network) {
  const events = network.state.all<TransactionEvent>(
    "select * from transaction_events where network = ? and kind in ('recorded', 'amended', 'declined', 'deleted') order by id",
    network.slug,
  );
  return events.flatMap((event) => {
    const row = findTransaction(network.state, event.transaction_id);
    return row ? [record(event, row, eventsOf(network.state, row.id))] : [];
  });
}

/** @param history what happened to the action */
function record(event: TransactionEvent, row: TransactionRow, history: readonly TransactionEvent[]) {
  const original = event.kind === "recorded";
  // A correction locks nothing: what was taken back before it was locked stays new.
  const lockedAt = history.find(({ kind }) => kind === "approved")?.happened_at ?? null;
  const isDeclined = history.some(({ kind }) => kind === "declined" || kind === "deleted");
  const lockingDate = lockedAt ?? row.transacted_at + LOCK_AFTER_MS;
  return {
    commissionId: String(2_000_000_000 + event.id),
    originalActionId: String(row.id),
    original,
    actionStatus: row.paid_to_publisher ? "closed" : lockedAt === null ? "new" : "locked",
    actionType: row.kind === "lead" ? "advanced lead" : "advanced sale",
    actionTrackerName: row.kind === "lead" ? "Lead" : "Sale",
    validationStatus: isDeclined ? "ACCEPTED" : lockedAt === null ? "PENDING" : "AUTOMATED",
    correctionReason: original ? null : correctionReason(event.reason),
    advertiserId: String(row.advertiser_id),
    advertiserName: row.advertiser_name,
    shopperId: row.click_ref,
    orderId: row.order_ref,
    eventDate: date(row.transacted_at),
    postingDate: date(event.happened_at),
    lockingDate: date(lockingDate),
    clickDate: date(row.clicked_at),
    saleAmountPubCurrency: amountText(event.sale_difference),
    pubCommissionAmountPubCurrency: amountText(event.commission_difference),
    coupon: row.voucher_code,
    items: [],
  };
}

function correctionReason(reason: string | null): string {
  const text = reason ?? "";
  if (/return/i.test(text)) return "RETURNED_MERCHANDISE";
  if (/cancel/i.test(text)) return "BOOKING_CANCELED";
  if (/duplicate/i.test(text)) return "DUPLICATED_ORDER";
  if (/terms|voucher/i.test(text)) return "COMPLIANCE";
  return "OTHER_REASON";
}

function date(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** The answers of Advertiser Lookup and Link Search, with all records on one page: what an import of CJ's files reads. */
function feeds(network: Network): Hono {
  const app = new Hono();
  app.get("/advertisers.xml", (context) =>
    xmlPage(
      context,
      "advertisers",
      network.catalogue.programmes().map((programme) =>
        xmlElement("advertiser", [
          xmlElement("advertiser-id", String(programme.id)),
          xmlElement("account-status", "Active"),
          xmlElement("seven-day-epc", "N/A"),
          xmlElement("advertiser-name", programme.name),
          xmlElement("program-url", programme.displayUrl),
          xmlElement(
            "relationship-status",
            /^(active|joined)$/i.test(programme.status ?? "joined") ? "joined" : "notjoined",
          ),
          xmlElement(
            "actions",
            (programme.commissionGroups ?? []).map((group) =>
              xmlElement("action", [
                xmlElement("name", group.groupName),
                xmlElement("type", "advanced sale"),
                xmlElement("id", String(group.groupId)),
                xmlElement("commission", [xmlElement("default", commissionText(group))]),
              ]),
            ),
          ),
        ]),
      ),
    ),
  );
  app.get("/links.xml", (context) =>
    xmlPage(
      context,
      "links",
      network.catalogue
        .promotions()
        .map((promotion) =>
          xmlElement("link", [
            xmlElement("advertiser-id", String(promotion.advertiser.id)),
            xmlElement(
              "destination",
              network.catalogue.programme(promotion.advertiser.id)?.displayUrl ?? "https://example.invalid/",
            ),
            xmlElement("link-id", String(promotion.promotionId)),
            xmlElement("link-name", promotion.title),
            xmlElement("description", ""),
            xmlElement("link-type", "Text Link"),
            xmlElement("promotion-end-date", promotion.endDate ?? "ongoing"),
            xmlElement("promotion-start-date", promotion.startDate ?? date(0)),
            xmlElement("promotion-type", promotion.voucher?.code ? "coupon" : "sale/discount"),
            xmlElement("coupon-code", promotion.voucher?.code ?? ""),
            xmlElement("seven-day-epc", "N/A"),
          ]),
        ),
    ),
  );
  return app;
}

function xmlPage(context: Context, list: string, records: readonly string[]): Response {
  const text = `<?xml version="1.0" encoding="UTF-8"?>
<cj-api>
<${list} total-matched="${records.length}" records-returned="${records.length}" page-number="1">
${records.join("\n")}
</${list}>
</cj-api>
`;
  return context.body(text, 200, { "content-type": "application/xml" });
}

function commissionText(group: CommissionGroup): string {
  return group.type === "percentage"
    ? `${twoPlaces.format(group.percentage ?? 0)}%`
    : `${group.currency ?? "GBP"} ${twoPlaces.format(group.amount ?? 0)}`;
}

const twoPlaces = new Intl.NumberFormat("en-GB", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
});
