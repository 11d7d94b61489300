import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { sumItems, type TransactionItem } from "@farthing/core/networks/sum-items.ts";
import { z } from "zod";
import { UnreadableRowError } from "../report-rows.ts";
import { currencyCode, minorUnits, networkId, optionalDecimal, optionalText } from "../row-fields.ts";
import { partnerizeDate, partnerizeInstant } from "./partnerize-date.ts";
import { reasonOfText } from "../reason-texts.ts";

const STATUSES = { pending: "pending", approved: "approved", rejected: "declined" } as const;
const status = z.enum(["pending", "approved", "rejected"], { error: "is not pending, approved or rejected" });

/** What `include_payment_info` adds, to the conversion or to its items. */
const payment = { payment_status: optionalText, self_bill_release_date: partnerizeDate };

const item = z.object({
  item_value: optionalDecimal,
  item_publisher_commission: optionalDecimal,
  item_status: status,
  last_update: partnerizeDate,
  approved_at: partnerizeDate,
  reject_reason: optionalText,
  ...payment,
});

/**
 * A row of Partnerize's granular conversion report (GET /reporting/report_publisher/publisher/{id}/conversion.json). Only the fields used are checked;
 * the whole row is kept raw. https://api-docs.partnerize.com/partner
 */
const conversionRow = z.object({
  conversion_data: z.object({
    conversion_id: networkId,
    campaign_id: networkId,
    conversion_time: partnerizeDate.refine((date) => date !== null, "is missing"),
    currency: currencyCode,
    publisher_reference: optionalText,
    conversion_reference: optionalText,
    last_modified: partnerizeDate,
    click: z.object({ set_time: partnerizeDate, publisher_reference: optionalText }).nullish(),
    conversion_value: z.object({
      // Where the items differ it is "mixed" or the like, so only a conversion without items is read by it.
      conversion_status: optionalText,
      value: optionalDecimal,
      publisher_commission: optionalDecimal,
    }),
    conversion_items: z.array(item, { error: "is not a list" }).nullish(),
    ...payment,
  }),
});

type Conversion = z.infer<typeof conversionRow>["conversion_data"];

/**
 * Returns a conversion as a transaction. Partnerize decides item by item, so the conversion is worth the items that are not rejected: it is pending while
 * any item is, approved when the others are, and declined when all are rejected. `observedAt` is when the report was requested.
 * @throws z.ZodError or UnreadableRowError when the row does not have the documented format
 */
export function readPartnerizeConversion(raw: unknown, observedAt: Date): ReportedTransaction {
  const row = conversionRow.parse(raw).conversion_data;
  const purchasedAt = row.conversion_time!;
  const items = itemsOf(row);
  const sum = sumItems(items);
  if (sum.saleMinor < 0 || sum.commissionMinor < 0)
    throw new UnreadableRowError("the conversion is worth less than nothing");
  const details = row.conversion_items ?? [];
  const paidAt = sum.status === "approved" ? paymentOf(row) : null;
  return {
    networkTransactionId: transactionId(row.conversion_id, purchasedAt),
    networkProgrammeId: row.campaign_id,
    clickReference: row.publisher_reference ?? row.click?.publisher_reference ?? null,
    status: sum.status,
    currency: row.currency,
    saleMinor: sum.saleMinor,
    commissionMinor: sum.commissionMinor,
    parts: sum.parts,
    paidToPublisher: paidAt !== null,
    paidAt: paidAt instanceof Date ? paidAt : null,
    kind: sum.saleMinor === 0 && sum.commissionMinor > 0 ? "lead" : "sale",
    reason: sum.reason,
    orderReference: row.conversion_reference,
    purchasedAt,
    clickedAt: row.click?.set_time ?? null,
    validatedAt:
      sum.status === "approved"
        ? latest(details.map(({ approved_at }) => approved_at))
        : sum.status === "declined"
          ? latest(details.map(({ last_update }) => last_update))
          : null,
    modifiedAt: latest([
      purchasedAt,
      row.last_modified,
      ...details.flatMap(({ last_update, approved_at }) => [last_update, approved_at]),
    ])!,
    observedAt,
    raw,
  };
}

function itemsOf(row: Conversion): TransactionItem[] {
  // The rates of the club know no groups of Partnerize's items: all belong to the campaign's one rate, if it has one.
  const noGroup = { groupId: null, groupCode: null };
  if (row.conversion_items && row.conversion_items.length > 0)
    return row.conversion_items.map((one) => ({
      ...noGroup,
      saleMinor: minorUnits(one.item_value, row.currency),
      commissionMinor: minorUnits(one.item_publisher_commission, row.currency),
      status: STATUSES[one.item_status],
      reason: one.item_status === "rejected" ? reasonOfText(one.reject_reason) : null,
    }));
  const { value, publisher_commission, conversion_status } = row.conversion_value;
  const whole = status.safeParse(conversion_status);
  if (!whole.success) throw new UnreadableRowError("the conversion has no items, and its status is none of its own");
  return [
    {
      ...noGroup,
      saleMinor: minorUnits(value, row.currency),
      commissionMinor: minorUnits(publisher_commission, row.currency),
      status: STATUSES[whole.data],
      reason: whole.data === "rejected" ? "not_given" : null,
    },
  ];
}

/** Returns when Partnerize paid for the conversion; "paid" where it does not say when; null where it has not paid for every item. */
function paymentOf(row: Conversion): Date | "paid" | null {
  const counted = (row.conversion_items ?? []).filter(({ item_status }) => item_status === "approved");
  const known = counted.some((one) => one.payment_status !== null || one.self_bill_release_date !== null)
    ? counted
    : [row];
  const isPaid = known.every((one) => one.self_bill_release_date !== null || /^paid$/i.test(one.payment_status ?? ""));
  return isPaid ? (latest(known.map((one) => one.self_bill_release_date)) ?? "paid") : null;
}

/**
 * Returns the id under which the club knows a conversion: `111111l314-2020-03-08`. The report can be asked for days, not for ids, so the id holds the day
 * of the conversion, which never changes.
 */
export function transactionId(conversionId: string, purchasedAt: Date): string {
  return `${conversionId}-${partnerizeInstant(purchasedAt).slice(0, 10)}`;
}

/** Returns the day of such an id, from its start to its end; null for any other text. */
export function dayOfTransaction(id: string): { from: Date; to: Date } | null {
  const text = /^[\w.]{1,64}-(\d{4}-\d{2}-\d{2})$/.exec(id)?.[1];
  const from = new Date(`${text}T00:00:00Z`);
  if (text === undefined || Number.isNaN(from.getTime()) || from.toISOString().slice(0, 10) !== text) return null;
  return { from, to: new Date(from.getTime() + 86_400_000 - 1_000) };
}

function latest(dates: readonly (Date | null)[]): Date | null {
  return dates.reduce((later, date) => (date !== null && (later === null || date > later) ? date : later), null);
}
