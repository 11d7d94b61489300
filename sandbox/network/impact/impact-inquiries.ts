import type { Context, Hono } from "hono";
import type { Network } from "../network.ts";
import { impactDate, parseImpactDate } from "./impact-time.ts";

interface Inquiry {
  Id: number;
  MediaPartnerInquiryId: string;
  CampaignId: string;
  OrderId: string;
  TransactionDate: string;
  TransactionAmount: string;
  InquiryType: string;
  ExpectedPayout: string;
  InquiryNotes: string;
  TrackingLink: string;
  ActionId: string;
  AutoApprovalDate: string;
  ResolutionStatus: string;
  RejectReason: string;
  FinalPayout: string;
  ResolutionDate: string;
  CreationDate: string;
}

const KEY = "impact inquiries";
const TYPES = ["UNTRACKED", "INCORRECT", "DECLINED"];
const RESOLUTIONS = ["VALID", "DECLINED", "INCOMPLETE"];
/** Days after which Impact approves an inquiry that nobody has answered. */
const AUTO_APPROVAL_DAYS = 60;

/**
 * Action inquiries: a cashback publisher files them as a form and reads them again; the brand resolves them with PUT beneath /Advertisers, as in Impact's
 * brand API.
 */
export function inquiryRoutes(app: Hono, network: Network, account: string): void {
  const { state } = network;
  const all = (): Inquiry[] =>
    JSON.parse(
      state.one<{ value: string }>("select value from settings where name = ?", KEY)?.value ?? "[]",
    ) as Inquiry[];
  const store = (inquiries: Inquiry[]): void => {
    state.run(
      "insert into settings (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
      KEY,
      JSON.stringify(inquiries),
    );
  };
  const shown = (inquiry: Inquiry) => ({ ...inquiry, Uri: `${account}/ActionInquiries/${inquiry.Id}` });

  app.get("/Mediapartners/:sid/ActionInquiries", (context) => {
    const filters = ["MediaPartnerInquiryId", "CampaignId", "ResolutionStatus"] as const;
    const found = all().filter((inquiry) =>
      filters.every((name) => !context.req.query(name) || context.req.query(name) === inquiry[name]),
    );
    return context.json({
      "@page": "1",
      "@numpages": "1",
      "@total": String(found.length),
      ActionInquiries: found.map(shown),
    });
  });

  app.get("/Mediapartners/:sid/ActionInquiries/:id", (context) => {
    const found = all().find(({ Id }) => String(Id) === context.req.param("id"));
    return found ? context.json(shown(found)) : error(context, 404, "The inquiry does not exist.");
  });

  app.post("/Mediapartners/:sid/ActionInquiries", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const field = (name: string): string => form.get(name)?.slice(0, 2_000) ?? "";
    const missing = ["CampaignId", "OrderId", "TransactionDate", "TransactionAmount", "InquiryType"].find(
      (name) => field(name) === "",
    );
    if (missing !== undefined) return error(context, 400, `${missing} is required.`);
    if (!TYPES.includes(field("InquiryType"))) return error(context, 400, "InquiryType is not one of the values.");
    if (parseImpactDate(field("TransactionDate")) === null)
      return error(context, 400, "TransactionDate is not a date in ISO 8601.");
    if (!/^\d{1,12}(\.\d{1,4})?$/.test(field("TransactionAmount")))
      return error(context, 400, "TransactionAmount is not a decimal.");
    if (!network.catalogue.programme(Number(field("CampaignId"))))
      return error(context, 400, "CampaignId is not a campaign of yours.");
    const inquiries = all();
    const inquiry: Inquiry = {
      Id: 15_652_378 + inquiries.length,
      MediaPartnerInquiryId: field("MediaPartnerInquiryId"),
      CampaignId: field("CampaignId"),
      OrderId: field("OrderId"),
      TransactionDate: field("TransactionDate"),
      TransactionAmount: field("TransactionAmount"),
      InquiryType: field("InquiryType"),
      ExpectedPayout: field("ExpectedPayout"),
      InquiryNotes: field("InquiryNotes"),
      TrackingLink: field("TrackingLink"),
      ActionId: "",
      AutoApprovalDate: impactDate(network.now() + AUTO_APPROVAL_DAYS * 86_400_000),
      ResolutionStatus: "UNRESOLVED",
      RejectReason: "",
      FinalPayout: "",
      ResolutionDate: "",
      CreationDate: impactDate(network.now()),
    };
    store([...inquiries, inquiry]);
    return context.json({ Status: "OK", Uri: shown(inquiry).Uri });
  });

  app.put("/Advertisers/:sid/ActionInquiries", async (context) => {
    const form = new URLSearchParams(await context.req.text());
    const inquiries = all();
    const inquiry = inquiries.find(({ Id }) => String(Id) === form.get("Id"));
    if (!inquiry) return error(context, 404, "The inquiry does not exist.");
    const status = form.get("ResolutionStatus") ?? "";
    if (!RESOLUTIONS.includes(status)) return error(context, 400, "ResolutionStatus is not one of the values.");
    const reason = form.get("RejectReason") ?? "";
    if (status === "DECLINED" && reason === "") return error(context, 400, "RejectReason is required.");
    inquiry.ResolutionStatus = status;
    inquiry.RejectReason = status === "DECLINED" ? reason : "";
    inquiry.ResolutionDate = impactDate(network.now());
    store(inquiries);
    return context.json({ Status: "OK", Uri: shown(inquiry).Uri });
  });
}

export function error(context: Context, status: 400 | 401 | 403 | 404 | 429, message: string): Response {
  return context.json({ Status: "ERROR", Message: message }, status);
}
