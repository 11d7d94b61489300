import { Hono, type Context } from "hono";
import { createHmac, timingSafeEqual } from "node:crypto";
import { getFrom } from "../../deliveries/delivery-queue.ts";
import { amountText } from "../amounts.ts";
import { followClick } from "../follow-click.ts";
import type { Network } from "../network.ts";
import type { NetworkProtocol } from "../network-protocol.ts";
import { eventsBetween, findTransaction, type TransactionEvent, type TransactionRow } from "../transactions.ts";
import { xmlElement } from "../xml-element.ts";

const MAX_PAGE_SIZE = 1_000;
const TOKEN_SECONDS = 3_600;

/**
 * Rakuten Advertising: GET /rakuten/deeplink?id=&mid=&murl=&u1= leads to the advertiser's page; POST /rakuten/token and GET /rakuten/events/1.0/transactions
 * are the report, whose rows have no status: what is taken back comes as a negative row. A GET with the fields of the event is pushed for every sale.
 */
export const rakutenProtocol: NetworkProtocol = {
  slug: "rakuten",
  name: "Rakuten Advertising",
  account: (env) => ({
    publisherId: env["RAKUTEN_LINK_ID"] || "DevLink0003",
    credentials: {
      siteId: env["RAKUTEN_SITE_ID"] || "3300003",
      clientId: env["RAKUTEN_CLIENT_ID"] || "development-client",
      clientSecret: env["RAKUTEN_CLIENT_SECRET"] || "development-secret",
    },
    pushSecret: env["RAKUTEN_PUSH_SECRET"] || "development-push-secret",
  }),
  isLink: (path) => path === "/deeplink",
  routes(app, network) {
    app.get("/deeplink", (context) =>
      followClick(context, network, {
        programmeId: Number(context.req.query("mid")),
        programmeField: "mid",
        publisherId: context.req.query("id") ?? null,
        publisherField: "id",
        clickRef: context.req.query("u1") || null,
        wantedUrl: context.req.query("murl") || null,
      }),
    );
    app.post("/token", (context) => {
      const { clientId, clientSecret } = network.credentials;
      const wanted = `Bearer ${Buffer.from(`${clientId}:${clientSecret}`).toString("base64")}`;
      if (!isSame(context.req.header("authorization"), wanted)) return context.json({ error: "invalid_client" }, 401);
      return context.json({ access_token: tokenOf(network), token_type: "bearer", expires_in: TOKEN_SECONDS });
    });
    app.get("/events/1.0/transactions", (context) => report(context, network));
    app.route("/feeds", feeds(network));
  },
  pushText: (_network, row) => new URLSearchParams(pushFields(row)).toString(),
  sendPush: (url, text) => getFrom(url, new URLSearchParams(text)),
};

/** The access token: derived, so that it survives a restart of the sandbox. */
function tokenOf({ credentials }: Network): string {
  return createHmac("sha256", credentials["clientSecret"] ?? "")
    .update("access token")
    .digest("hex");
}

function isSame(sent: string | undefined, wanted: string): boolean {
  const [one, other] = [Buffer.from(sent ?? ""), Buffer.from(wanted)];
  return one.length === other.length && timingSafeEqual(one, other);
}

function report(context: Context, network: Network): Response {
  if (!isSame(context.req.header("authorization"), `Bearer ${tokenOf(network)}`))
    return context.json({ error: "unauthorized" }, 401);
  const from = dateOf(context.req.query("process_date_start"));
  const to = dateOf(context.req.query("process_date_end"));
  if (from === null || to === null)
    return context.json({ error: "process_date_start and process_date_end must be yyyy-MM-dd HH:mm:ss" }, 400);
  const limit = Math.min(Math.max(Math.trunc(Number(context.req.query("limit") ?? 100)) || 100, 1), MAX_PAGE_SIZE);
  const page = Math.max(Math.trunc(Number(context.req.query("page") ?? 1)) || 1, 1);
  const events = eventsBetween(network, from, to).filter(({ kind }) => kind !== "approved" && kind !== "paid");
  return context.json(
    events.slice((page - 1) * limit, page * limit).flatMap((event) => {
      const row = findTransaction(network.state, event.transaction_id);
      return row ? [eventRow(event, row, network)] : [];
    }),
  );
}

/** Reads `2026-11-20 05:20:00`, in UTC. */
function dateOf(text: string | undefined): number | null {
  if (!/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(text ?? "")) return null;
  const time = Date.parse(`${text!.replace(" ", "T")}Z`);
  return Number.isNaN(time) ? null : time;
}

function eventRow(event: TransactionEvent, row: TransactionRow, network: Network) {
  return {
    etransaction_id: row.id.toString(16).padStart(16, "0"),
    advertiser_id: row.advertiser_id,
    sid: Number(network.credentials["siteId"]),
    order_id: row.order_ref,
    offer_id: 1,
    sku_number: "",
    sale_amount: Number(amountText(event.sale_difference)),
    quantity: 1,
    commissions: Number(amountText(event.commission_difference)),
    process_date: longDate(event.happened_at),
    transaction_date: longDate(row.transacted_at),
    transaction_type: "realtime",
    product_name: "",
    u1: row.click_ref ?? "",
    currency: row.currency,
    is_event: row.kind === "lead" ? "Y" : "N",
  };
}

/** `Mon Feb 12 2018 03:02:37 GMT+0000 (UTC)` */
function longDate(time: number): string {
  const [day, date, month, year, clock] = new Date(time).toUTCString().replace(",", "").split(" ");
  return `${day} ${month} ${date} ${year} ${clock} GMT+0000 (UTC)`;
}

function pushFields(row: TransactionRow): Record<string, string> {
  return {
    etransaction_id: row.id.toString(16).padStart(16, "0"),
    advertiser_id: String(row.advertiser_id),
    order_id: row.order_ref,
    sale_amount: amountText(row.sale_pence),
    commissions: amountText(row.commission_pence),
    currency: row.currency,
    u1: row.click_ref ?? "",
  };
}

/** Advertisers as JSON and coupons as XML, all of them on one page: what an import of Rakuten's files reads. */
function feeds(network: Network): Hono {
  const app = new Hono();
  app.get("/advertisers.json", (context) =>
    context.json({
      advertisers: network.catalogue.programmes().map((programme) => ({
        id: programme.id,
        name: programme.name,
        url: programme.displayUrl,
        status: /^(active|joined)$/i.test(programme.status ?? "joined") ? "active" : "closed",
        currency: programme.currencyCode ?? "GBP",
        commission_lists: (programme.commissionGroups ?? []).map((group) => ({
          id: group.groupId,
          name: group.groupName,
          type: group.type === "percentage" ? "percentage" : "flat",
          value: (group.type === "percentage" ? group.percentage : group.amount) ?? 0,
        })),
      })),
    }),
  );
  app.get("/coupons.xml", (context) => {
    const links = network.catalogue
      .promotions()
      .map((promotion) =>
        xmlElement("link", [
          xmlElement("offerdescription", promotion.title),
          xmlElement("offerstartdate", promotion.startDate ?? "2020-01-01"),
          xmlElement("offerenddate", promotion.endDate ?? ""),
          xmlElement("couponcode", promotion.voucher?.code ?? ""),
          xmlElement("couponrestriction", ""),
          xmlElement(
            "clickurl",
            `https://click.linksynergy.com/fs-bin/click?id=${network.publisherId}&offerid=${promotion.promotionId}&type=4&subid=0`,
          ),
          xmlElement("advertiserid", String(promotion.advertiser.id)),
        ]),
      );
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<couponfeed>
<TotalMatches>${links.length}</TotalMatches>
<TotalPages>1</TotalPages>
<PageNumberRequested>1</PageNumberRequested>
${links.join("\n")}
</couponfeed>
`;
    return context.body(text, 200, { "content-type": "application/xml" });
  });
  return app;
}
