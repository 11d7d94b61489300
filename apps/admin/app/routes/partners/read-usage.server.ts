import { findPartnerRecord } from "@farthing/core/partners/operator-records.server.ts";
import { drawUsage, readPartnerUsage } from "@farthing/core/reports/partner-usage.server.ts";
import { readRange } from "@farthing/core/reports/report-range.ts";
import { londonDayOf } from "@farthing/core/reports/rules.ts";
import type { RouterContextProvider } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { unknownPartner } from "./change-partner.server.ts";

/** Reads the usage that an address asks for; `report` is null where its days have faults. */
export async function readUsage(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  publicId: string,
) {
  const { db, now } = context.get(servicesContext);
  const partner = await findPartnerRecord(db, { publicId });
  if (!partner) throw unknownPartner();
  const { searchParams } = new URL(request.url);
  const typed = (field: string) => (searchParams.get(field) ?? "").trim().slice(0, 100);
  const mode = typed("mode") === "test" ? "test" : "live";
  const by = typed("by") === "month" ? "month" : "day";
  const today = londonDayOf(now());
  const days = { from: typed("from"), to: typed("to") };
  const range = readRange(days, { today, defaultDays: by === "month" ? 365 : 28 });
  const read = range.ok && ({ partnerId: partner.id, mode, by, from: range.from, to: range.to } as const);
  return {
    ...{ partner, today, faults: range.ok ? {} : range.faults },
    filters: { mode, by, ...(range.ok ? { from: range.from, to: range.to } : days) } as const,
    report: read ? drawUsage(await readPartnerUsage(db, read), by) : null,
  };
}
