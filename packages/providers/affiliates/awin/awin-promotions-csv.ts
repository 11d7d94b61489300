import type { CsvReading } from "@farthing/core/catalogue-imports/provider.ts";

const columnOfField: Readonly<Record<string, string>> = {
  promotionId: "Promotion ID",
  "advertiser.id": "Advertiser ID",
  "advertiser.name": "Advertiser",
  type: "Type",
  "voucher.code": "Code",
  title: "Title",
  description: "Description",
  startDate: "Starts",
  endDate: "Ends",
  terms: "Terms",
  url: "Deeplink",
  urlTracking: "Deeplink Tracking",
};

/**
 * Awin's CSV export of promotions ("My Offers", export), in terms of its promotions API. Dates are dd/mm/yyyy hh:mm:ss in London's time; a type
 * that contains "voucher" is a voucher.
 */
export const awinPromotionsCsv: CsvReading = {
  columns: [
    "Promotion ID",
    "Advertiser ID",
    "Type",
    "Code",
    "Title",
    "Description",
    "Starts",
    "Ends",
    "Terms",
    "Deeplink",
  ],
  columnOf: (field) => columnOfField[field] ?? field,
  mustBe: (field, message) =>
    (field === "startDate" || field === "endDate") && message.includes("date and time")
      ? "must be a real date and time such as 30/11/2026 23:59:00"
      : null,
  toRecord(row) {
    const isVoucher = /voucher/i.test(row["Type"] ?? "");
    return {
      promotionId: row["Promotion ID"],
      type: isVoucher ? "voucher" : /promotion|offer|deal/i.test(row["Type"] ?? "") ? "promotion" : row["Type"],
      advertiser: { id: row["Advertiser ID"], name: row["Advertiser"] },
      title: row["Title"] === "" ? row["Description"] : row["Title"],
      description: row["Description"],
      terms: row["Terms"],
      startDate: instantOf(row["Starts"] ?? ""),
      endDate: row["Ends"] === "" ? null : instantOf(row["Ends"] ?? ""),
      url: row["Deeplink"],
      urlTracking: row["Deeplink Tracking"],
      ...(isVoucher ? { voucher: { code: row["Code"] } } : {}),
    };
  },
};

/** Returns "20/11/2026 09:00:00" as "2026-11-20T09:00:00", "20/11/2026" as "2026-11-20", and any other text unchanged, for the schema to refuse. */
function instantOf(text: string): string {
  const parts = /^(\d{2})\/(\d{2})\/(\d{4})(?: (\d{2}):(\d{2})(?::(\d{2}))?)?$/.exec(text.trim());
  if (parts === null) return text;
  const [, day, month, year, hours, minutes, seconds = "00"] = parts;
  const date = `${year}-${month}-${day}`;
  return hours === undefined ? date : `${date}T${hours}:${minutes}:${seconds}`;
}
