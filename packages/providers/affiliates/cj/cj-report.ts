import { parseMinorUnits } from "@farthing/core/money/money.ts";
import type {
  NetworkStatus,
  ReportedTransaction,
  TransactionPart,
} from "@farthing/core/networks/network-transaction.ts";
import { z } from "zod";
import { cjReason } from "./cj-reason.ts";

const id = z.union([z.int().nonnegative().transform(String), z.string().regex(/^[\w-]{1,64}$/)]);
const decimal = z.union([z.number(), z.string().max(40)]);
/** CJ writes dates in UTC, with or without the Z. */
const date = z.string().transform((text, context) => {
  const moment = /^\d{4}-\d\d-\d\d/.test(text) ? new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`) : null;
  if (moment && !Number.isNaN(moment.getTime())) return moment;
  context.addIssue({ code: "custom", message: "not a date" });
  return z.NEVER;
});
/** CJ's enumerations come in capitals from its schema and in small letters in records. */
const word = <const Words extends readonly [string, ...string[]]>(words: Words) =>
  z
    .string()
    .transform((text) => text.toLowerCase())
    .pipe(z.enum(words));

/** The fields that the query asks for, in GraphQL. */
export const CJ_RECORD_FIELDS = `commissionId originalActionId original actionStatus actionType validationStatus correctionReason
  advertiserId shopperId orderId eventDate postingDate lockingDate clickDate
  saleAmountPubCurrency pubCommissionAmountPubCurrency
  items { itemListId quantity perItemSaleAmountPubCurrency totalCommissionPubCurrency }`;

/** A record of publisherCommissions (CJ's Commission Detail API). https://developers.cj.com/graphql/reference/Commission%20Detail */
const cjRecord = z.object({
  commissionId: id,
  originalActionId: id,
  original: z.boolean(),
  actionStatus: word(["new", "extended", "locked", "closed"]),
  actionType: z.string().nullish(),
  validationStatus: word(["pending", "accepted", "declined", "automated"]).nullish(),
  correctionReason: z.string().nullish(),
  advertiserId: id,
  shopperId: z.string().max(200).nullish(),
  orderId: z.union([z.string(), z.number()]).nullish(),
  eventDate: date,
  postingDate: date,
  lockingDate: date.nullish(),
  clickDate: date.nullish(),
  saleAmountPubCurrency: decimal,
  pubCommissionAmountPubCurrency: decimal,
  items: z
    .array(
      z.object({
        itemListId: id.nullish(),
        quantity: z.int().nullish(),
        perItemSaleAmountPubCurrency: decimal.nullish(),
        totalCommissionPubCurrency: decimal.nullish(),
      }),
    )
    .nullish(),
});

/**
 * Returns a record as a row of its action. CJ never changes the amounts of a record: a correction is a further record with the action's id. Amounts are in
 * the currency that CJ pays the publisher in, at CJ's own exchange rate.
 * @throws z.ZodError or RangeError when the record does not have the documented format
 */
export function readCjRecord(raw: unknown, currency: string, observedAt: Date): ReportedTransaction {
  const record = cjRecord.parse(raw);
  const saleMinor = parseMinorUnits(record.saleAmountPubCurrency, currency);
  const commissionMinor = parseMinorUnits(record.pubCommissionAmountPubCurrency, currency);
  const isFinal = record.actionStatus === "locked" || record.actionStatus === "closed";
  const status: NetworkStatus = record.validationStatus === "declined" ? "declined" : isFinal ? "approved" : "pending";
  const reference = record.shopperId?.trim() ?? "";
  const order = String(record.orderId ?? "").trim();
  return {
    networkTransactionId: record.originalActionId,
    networkProgrammeId: record.advertiserId,
    clickReference: reference === "" ? null : reference,
    status,
    currency,
    saleMinor,
    commissionMinor,
    parts: partsOf(record.items ?? [], { currency, saleMinor, commissionMinor }),
    paidToPublisher: record.actionStatus === "closed",
    paidAt: null,
    locksAt: record.lockingDate ?? null,
    kind: /lead/i.test(record.actionType ?? "") ? "lead" : "sale",
    correction: { rowId: record.commissionId, isOriginal: record.original },
    reason: record.correctionReason ? cjReason(record.correctionReason) : status === "declined" ? "not_given" : null,
    orderReference: order === "" ? null : order,
    purchasedAt: record.eventDate,
    clickedAt: record.clickDate ?? null,
    validatedAt: isFinal ? (record.lockingDate ?? null) : null,
    modifiedAt: record.postingDate,
    observedAt,
    raw,
  };
}

/** Returns the amounts of each item list; none where they do not add up to the record, as with a discount of the whole order. */
function partsOf(
  items: NonNullable<z.output<typeof cjRecord>["items"]>,
  { currency, saleMinor, commissionMinor }: { currency: string; saleMinor: number; commissionMinor: number },
): TransactionPart[] {
  const parts = items.map((item) => ({
    groupId: item.itemListId ?? null,
    groupCode: null,
    saleMinor: parseMinorUnits(item.perItemSaleAmountPubCurrency ?? 0, currency) * (item.quantity ?? 1),
    commissionMinor: parseMinorUnits(item.totalCommissionPubCurrency ?? 0, currency),
  }));
  const sum = (field: "saleMinor" | "commissionMinor") => parts.reduce((total, part) => total + part[field], 0);
  return sum("saleMinor") === saleMinor && sum("commissionMinor") === commissionMinor ? parts : [];
}
