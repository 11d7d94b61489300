import { parseMinorUnits } from "@farthing/core/money/money.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { z } from "zod";
import { rakutenCalendar, type RakutenCalendarOptions } from "./rakuten-calendar.ts";

const id = z.union([z.int().nonnegative().transform(String), z.string().regex(/^\d{1,20}$/)]);
const word = z.union([z.int().nonnegative().transform(String), z.string().regex(/^[\x21-\x7e]{1,100}$/)]);
const decimal = z.union([z.number(), z.string().max(40)]);
/** `Mon Feb 12 2018 03:02:37 GMT+0000 (UTC)`, or ISO 8601; without an offset it is UTC. */
const date = z.string().transform((text, context) => {
  const isKnown = /^(\d{4}-\d\d-\d\d|[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d? \d{4} )/.test(text);
  const hasOffset = /(Z|GMT|[+-]\d\d:?\d\d)/.test(text.slice(10));
  const moment = new Date(isKnown && !hasOffset ? `${text.replace(" ", "T")}Z` : text);
  if (isKnown && !Number.isNaN(moment.getTime())) return moment;
  context.addIssue({ code: "custom", message: "not a date" });
  return z.NEVER;
});

/**
 * A row of GET /events/1.0/transactions (Rakuten Advertising's Events API): one SKU of an order.
 * https://pubhelp.rakutenadvertising.com/hc/en-us/articles/5949867433997-Events-API
 */
const rakutenRow = z.object({
  etransaction_id: word,
  advertiser_id: id,
  order_id: word,
  sku_number: z.string().nullish(),
  sale_amount: decimal,
  commissions: decimal,
  process_date: date,
  transaction_date: date,
  u1: z.string().max(200).nullish(),
  currency: z.string().regex(/^[A-Z]{3}$/),
  is_event: z.string().nullish(),
  commission_list_id: word.nullish(),
  commissions_list_id: word.nullish(),
});

/** Returns the id of an order: Rakuten's rows name the retailer's order, which is unique within the retailer. */
export function rakutenTransactionId(advertiserId: string, orderId: string): string {
  return `${advertiserId}/${orderId}`;
}

/**
 * Returns a row as a row of its order. Rakuten's rows have no status: one with a negative amount corrects the order, and what stands is settled by the
 * calendar. A correction may repeat the id of the row that it corrects, so it is told apart by the moment at which it was processed.
 * @throws z.ZodError or RangeError when the row does not have the documented format
 */
export function readRakutenRow(raw: unknown, calendar: RakutenCalendarOptions, observedAt: Date): ReportedTransaction {
  const row = rakutenRow.parse(raw);
  const amounts = {
    saleMinor: parseMinorUnits(row.sale_amount, row.currency),
    commissionMinor: parseMinorUnits(row.commissions, row.currency),
  };
  const isCorrection = amounts.saleMinor < 0 || amounts.commissionMinor < 0;
  const group = row.commissions_list_id ?? row.commission_list_id ?? null;
  const reference = row.u1?.trim() ?? "";
  return {
    networkTransactionId: rakutenTransactionId(row.advertiser_id, row.order_id),
    networkProgrammeId: row.advertiser_id,
    clickReference: reference === "" ? null : reference,
    status: "pending",
    currency: row.currency,
    ...amounts,
    parts: group === null ? [] : [{ groupId: group, groupCode: null, ...amounts }],
    paidToPublisher: false,
    kind: /^y/i.test(row.is_event ?? "") ? "lead" : "sale",
    correction: {
      rowId: isCorrection ? `${row.etransaction_id}@${row.process_date.toISOString()}` : row.etransaction_id,
      isOriginal: !isCorrection,
    },
    calendar: rakutenCalendar(row.process_date, calendar),
    reason: null,
    orderReference: row.order_id,
    purchasedAt: row.transaction_date,
    clickedAt: null,
    validatedAt: null,
    modifiedAt: row.process_date,
    observedAt,
    raw,
  };
}
