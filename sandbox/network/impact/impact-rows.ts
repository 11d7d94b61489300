import type { State } from "../../state/state.ts";
import { amountText } from "../amounts.ts";
import type { SoldPart } from "../commission.ts";
import { eventsOf, type TransactionEvent, type TransactionRow } from "../transactions.ts";
import { impactDate } from "./impact-time.ts";

const DAY_MS = 86_400_000;
/** Days after a sale at which Impact locks it, unless it is decided before. */
export const LOCKING_DAYS = 45;

const STATES = { pending: "PENDING", approved: "APPROVED", declined: "REVERSED", deleted: "REVERSED" } as const;

/** Impact's codes for what the engine's advertisers say. */
const REASONS: Readonly<Record<string, string>> = {
  "order returned": "ITEM_RETURNED",
  "order cancelled": "CONS_ERROR",
  "duplicate order": "REJECTED",
  "voucher code not allowed": "NOT_COMPLIANCE_TERMS",
  "tracked by another channel": "CREDITED_DIFFERENT_MP",
  "test order": "TEST_ACTION",
  "breach of terms": "NOT_COMPLIANCE_TERMS",
  "partial return": "ITEM_RETURNED",
};

/** `1000.5001.1790000000`: the id's last number is the engine's. */
export function actionId(row: { advertiser_id: number; id: number }): string {
  return `1000.${row.advertiser_id}.${row.id}`;
}

/** Returns the engine's id of an action; null for anything that is not one. */
export function transactionIdOf(id: string): number | null {
  const match = /^1000\.\d{1,12}\.(\d{1,12})$/.exec(id);
  return match ? Number(match[1]) : null;
}

export function lockingTime(row: TransactionRow): number {
  return row.validated_at ?? row.transacted_at + LOCKING_DAYS * DAY_MS;
}

/** An action as the API lists it. A reversed one is worth nothing; its intended amounts are those that were tracked. */
export function actionOf(state: State, row: TransactionRow, account: string) {
  const [recorded] = eventsOf(state, row.id);
  const isReversed = STATES[row.status] === "REVERSED";
  const amount = isReversed ? 0 : row.sale_pence;
  const payout = isReversed ? 0 : row.commission_pence;
  const intendedAmount = recorded?.sale_pence ?? row.sale_pence;
  const intendedPayout = recorded?.commission_pence ?? row.commission_pence;
  const id = actionId(row);
  return {
    Id: id,
    CampaignId: String(row.advertiser_id),
    CampaignName: row.advertiser_name,
    ActionTrackerId: "2240",
    ActionTrackerName: row.kind === "lead" ? "Lead" : "Sale",
    State: STATES[row.status],
    AdId: "650971",
    Payout: amountText(payout),
    DeltaPayout: amountText(payout - intendedPayout || payout),
    IntendedPayout: amountText(intendedPayout),
    Amount: amountText(amount),
    DeltaAmount: amountText(amount - intendedAmount || amount),
    IntendedAmount: amountText(intendedAmount),
    Currency: row.currency,
    ReferringDate: impactDate(row.clicked_at),
    EventDate: impactDate(row.transacted_at),
    CreationDate: impactDate(row.transacted_at),
    LockingDate: impactDate(lockingTime(row)),
    ClearedDate: impactDate(row.paid_at),
    ReferringType: "CLICK_COOKIE",
    ReferringDomain: "",
    PromoCode: row.voucher_code ?? "",
    Oid: row.order_ref,
    EventCode: "",
    SharedId: row.campaign ?? "",
    SubId1: row.click_ref ?? "",
    SubId2: subId(row, "SubId2"),
    SubId3: subId(row, "SubId3"),
    CustomerArea: "",
    CustomerCity: "",
    CustomerRegion: "",
    CustomerCountry: "GB",
    Uri: `${account}/Actions/${id}`,
  };
}

function subId(row: TransactionRow, name: string): string {
  return (JSON.parse(row.more_click_refs) as Record<string, string>)[name] ?? "";
}

/** The items of an action: each carries the reason and date of the last change of the sale. */
export function itemsOf(row: TransactionRow, account: string) {
  const isReversed = STATES[row.status] === "REVERSED";
  const said = isReversed ? row.decline_reason : row.amend_reason;
  return (JSON.parse(row.parts) as SoldPart[]).map((part) => ({
    Sku: part.groupCode,
    ItemName: part.groupName,
    Category: part.groupCode,
    Quantity: "1",
    SaleAmount: amountText(isReversed ? 0 : part.salePence),
    SaleAmountCurrency: row.currency,
    Payout: amountText(isReversed ? 0 : part.commissionPence),
    PayoutCurrency: row.currency,
    Rebate: "",
    RebateCurrency: "",
    AdjustmentDate: impactDate(isReversed ? row.validated_at : row.amended_at),
    AdjustmentReason: said === null ? "" : (REASONS[said] ?? "OTHER"),
    Uri: `${account}/Actions/${actionId(row)}/Items/${part.groupCode}`,
  }));
}

/** One line of the feed of updates: the differences, and the action that changed. Approvals and payments are no updates. */
export function updateOf(event: TransactionEvent, row: TransactionRow, account: string) {
  const id = actionId(row);
  return {
    Id: `${id}.${event.id}`,
    ActionId: id,
    CampaignId: String(row.advertiser_id),
    ActionTrackerId: "2240",
    State: STATES[row.status],
    StateDetail: "",
    StateDetailDescription: "",
    DeltaPayout: amountText(event.commission_difference),
    DeltaAmount: amountText(event.sale_difference),
    Currency: row.currency,
    UpdateDate: impactDate(event.happened_at),
    LockingDate: impactDate(lockingTime(row)),
    ActionDate: impactDate(row.transacted_at),
    Oid: row.order_ref,
    SubId1: row.click_ref ?? "",
    ActionUri: `${account}/Actions/${id}`,
    Uri: `${account}/ActionUpdates/${id}.${event.id}`,
  };
}
