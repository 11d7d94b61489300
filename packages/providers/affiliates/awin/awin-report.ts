import type { ReportedTransaction, TransactionPart } from "@farthing/core/networks/network-transaction.ts";
import { parseMinorUnits } from "@farthing/core/money/money.ts";
import { z } from "zod";
import { UnreadableRowError } from "../report-rows.ts";
import { reasonOfText } from "../reason-texts.ts";

const decimal = z.union([z.number(), z.string()]);
const money = z.object({ amount: decimal, currency: z.string().regex(/^[A-Z]{3}$/) });
const id = z.union([z.int().transform(String), z.string().min(1).max(64)]);
/** `2017-02-20T22:04:00`, in the requested time zone, which is always UTC. */
const date = z.string().transform((text, context) => {
  const moment = new Date(/(Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
  if (!Number.isNaN(moment.getTime())) return moment;
  context.addIssue({ code: "custom", message: `not a date: ${text.slice(0, 40)}` });
  return z.NEVER;
});

/**
 * A row of GET /publishers/{id}/transactions (Awin's publisher API). Only the fields used are checked; the whole row is kept raw.
 * https://developer.awin.com/apidocs/returns-a-list-of-transactions-for-a-given-publisher
 */
export const awinTransactionSchema = z.object({
  id,
  advertiserId: id,
  commissionStatus: z.enum(["pending", "approved", "declined", "deleted"]),
  commissionAmount: money,
  saleAmount: money,
  clickRefs: z.object({ clickRef: z.union([z.string(), z.number()]).nullish() }).nullish(),
  clickDate: date.nullish(),
  transactionDate: date,
  validationDate: date.nullish(),
  declineReason: z.string().nullish(),
  amended: z.boolean().nullish(),
  amendReason: z.string().nullish(),
  orderRef: z.union([z.string(), z.number()]).nullish(),
  paidToPublisher: z.boolean().nullish(),
  type: z.string().nullish(),
  transactionParts: z
    .array(
      z.object({
        commissionGroupId: id.nullish(),
        commissionGroupCode: z.string().nullish(),
        amount: decimal,
        commissionAmount: decimal,
      }),
    )
    .nullish(),
});

/**
 * Returns a row of the report as a transaction. `observedAt` is when the report was requested.
 * @throws z.ZodError, RangeError or UnreadableRowError when the row does not have the documented format.
 */
export function readAwinTransaction(raw: unknown, observedAt: Date): ReportedTransaction {
  const row = awinTransactionSchema.parse(raw);
  const { currency } = row.saleAmount;
  if (row.commissionAmount.currency !== currency)
    throw new UnreadableRowError(`the sale is in ${currency}, its commission in ${row.commissionAmount.currency}`);
  const parts: TransactionPart[] = (row.transactionParts ?? []).map((part) => ({
    groupId: part.commissionGroupId ?? null,
    groupCode: part.commissionGroupCode ?? null,
    saleMinor: parseMinorUnits(part.amount, currency),
    commissionMinor: parseMinorUnits(part.commissionAmount, currency),
  }));
  const reference = String(row.clickRefs?.clickRef ?? "").trim();
  return {
    networkTransactionId: row.id,
    networkProgrammeId: row.advertiserId,
    clickReference: reference === "" || reference === "0" ? null : reference,
    status: row.commissionStatus,
    currency,
    saleMinor: parseMinorUnits(row.saleAmount.amount, currency),
    commissionMinor: parseMinorUnits(row.commissionAmount.amount, currency),
    parts,
    paidToPublisher: row.paidToPublisher ?? false,
    ...(/^lead\b/i.test(row.type ?? "") ? { kind: "lead" as const } : {}),
    reason:
      row.commissionStatus === "declined" || row.commissionStatus === "deleted"
        ? reasonOfText(row.declineReason)
        : row.amended
          ? "amended"
          : null,
    orderReference: row.orderRef === null || row.orderRef === undefined ? null : String(row.orderRef),
    purchasedAt: row.transactionDate,
    clickedAt: row.clickDate ?? null,
    validatedAt: row.validationDate ?? null,
    modifiedAt:
      row.validationDate && row.validationDate > row.transactionDate ? row.validationDate : row.transactionDate,
    observedAt,
    raw,
  };
}
