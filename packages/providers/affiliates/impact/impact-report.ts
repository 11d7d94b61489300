import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";
import type { NetworkStatus, ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import { z } from "zod";
import { UnreadableRowError } from "../report-rows.ts";
import { currencyCode, minorUnits, networkId, optionalDecimal, optionalText } from "../row-fields.ts";
import { impactDate } from "./impact-date.ts";
import { impactReason } from "./impact-reason.ts";

/**
 * An action of Impact's partner API (GET /Mediapartners/{AccountSID}/Actions). Only the fields used are checked; the whole row is kept raw.
 * https://integrations.impact.com/impact-publisher/reference/the-action-object
 */
const impactAction = z.object({
  Id: networkId,
  CampaignId: networkId,
  State: z.enum(["PENDING", "APPROVED", "REVERSED"], { error: "is not PENDING, APPROVED or REVERSED" }),
  Payout: optionalDecimal,
  Amount: optionalDecimal,
  IntendedPayout: optionalDecimal,
  IntendedAmount: optionalDecimal,
  Currency: currencyCode,
  ReferringDate: impactDate,
  EventDate: impactDate.refine((date) => date !== null, "is missing"),
  CreationDate: impactDate,
  LockingDate: impactDate,
  ClearedDate: impactDate,
  Oid: optionalText,
  SubId1: optionalText,
});

/** An item of an action (GET …/Actions/{id}/Items), as far as it says why the action was changed. */
export const impactItem = z.object({ AdjustmentReason: optionalText, AdjustmentDate: impactDate });

/** Why and when an action was reversed: the action does not say, its items do. */
export interface Reversal {
  reason: DeclineReason;
  reversedAt: Date | null;
}

const STATUS: Readonly<Record<z.infer<typeof impactAction>["State"], NetworkStatus>> = {
  PENDING: "pending",
  APPROVED: "approved",
  REVERSED: "declined",
};

/** Returns whether the row is a reversed action, whose items have the reason. */
export function isReversed(row: unknown): boolean {
  return typeof row === "object" && row !== null && "State" in row && row.State === "REVERSED";
}

/** Returns what the items of a reversed action say. Items that cannot be read say nothing. */
export function readReversal(items: readonly unknown[]): Reversal {
  const read = items.flatMap((item) => {
    const { data } = impactItem.safeParse(item);
    return data ? [data] : [];
  });
  const dates = read.flatMap(({ AdjustmentDate }) => (AdjustmentDate ? [AdjustmentDate.getTime()] : []));
  return {
    reason: impactReason(read.map(({ AdjustmentReason }) => AdjustmentReason)),
    reversedAt: dates.length > 0 ? new Date(Math.max(...dates)) : null,
  };
}

/**
 * Returns an action as a transaction. `observedAt` is when the report was requested; `reversal` is what the items of a reversed action say.
 *
 * Impact dates no change of an action: its `LockingDate` lies ahead until it passes, and may be moved. So `modifiedAt` is the day the action was created,
 * and of two revisions the one that was read later applies. A reversed action has amounts of zero; what it was worth are its intended amounts.
 * @throws z.ZodError or UnreadableRowError when the row does not have the documented format
 */
export function readImpactAction(
  raw: unknown,
  observedAt: Date,
  reversal: Reversal | null = null,
): ReportedTransaction {
  const row = impactAction.parse(raw);
  const { Currency: currency } = row;
  const amounts = {
    sale: minorUnits(row.Amount, currency),
    commission: minorUnits(row.Payout, currency),
    intendedSale: minorUnits(row.IntendedAmount ?? row.Amount, currency),
    intendedCommission: minorUnits(row.IntendedPayout ?? row.Payout, currency),
  };
  const status = STATUS[row.State];
  const isDeclined = status === "declined";
  const saleMinor = isDeclined && amounts.sale === 0 ? amounts.intendedSale : amounts.sale;
  const commissionMinor = isDeclined && amounts.commission === 0 ? amounts.intendedCommission : amounts.commission;
  if (saleMinor < 0 || commissionMinor < 0) throw new UnreadableRowError("the action is worth less than nothing");
  const isAmended = amounts.sale !== amounts.intendedSale || amounts.commission !== amounts.intendedCommission;
  const lockedAt = row.LockingDate && row.LockingDate <= observedAt ? row.LockingDate : null;
  const purchasedAt = row.EventDate!;
  return {
    networkTransactionId: row.Id,
    networkProgrammeId: row.CampaignId,
    clickReference: row.SubId1,
    status,
    currency,
    saleMinor,
    commissionMinor,
    parts: [],
    paidToPublisher: row.ClearedDate !== null && status === "approved",
    paidAt: status === "approved" ? row.ClearedDate : null,
    locksAt: row.LockingDate,
    kind: saleMinor === 0 && commissionMinor > 0 ? "lead" : "sale",
    reason: isDeclined ? (reversal?.reason ?? "not_given") : isAmended ? "amended" : null,
    orderReference: row.Oid,
    purchasedAt,
    clickedAt: row.ReferringDate,
    validatedAt: isDeclined ? (reversal?.reversedAt ?? null) : status === "approved" ? lockedAt : null,
    modifiedAt: row.CreationDate && row.CreationDate > purchasedAt ? row.CreationDate : purchasedAt,
    observedAt,
    raw,
  };
}
