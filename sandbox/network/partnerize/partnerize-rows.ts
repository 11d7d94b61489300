import type { State } from "../../state/state.ts";
import { reportAmount } from "../amounts.ts";
import type { SoldPart } from "../commission.ts";
import { eventsOf, type TransactionRow } from "../transactions.ts";
import { partnerizeDate } from "./partnerize-time.ts";

const STATUSES = { pending: "pending", approved: "approved", declined: "rejected", deleted: "rejected" } as const;

/** `111111l1790000000`: the number after the letter is the engine's. */
export function conversionId(row: { id: number }): string {
  return `111111l${row.id}`;
}

export function campaignId(advertiserId: number): string {
  return `1111l${advertiserId}`;
}

/** Returns the engine's id of an advertiser's campaign; null for anything that is not one. */
export function advertiserOf(id: string | null | undefined): number | null {
  const match = /^1111l(\d{1,12})$/.exec(id ?? "");
  return match ? Number(match[1]) : null;
}

/**
 * A conversion as the report lists it. Partnerize decides item by item: what an amendment took off the sale stands as an item that was rejected.
 */
export function conversionOf(
  state: State,
  row: TransactionRow,
  { zone, withPayment, publisherId }: { zone: string; withPayment: boolean; publisherId: string },
) {
  const date = (time: number | null): string | null => partnerizeDate(time, zone);
  const status = STATUSES[row.status];
  const [recorded] = eventsOf(state, row.id);
  const payment = withPayment
    ? {
        payment_status: row.paid_to_publisher === 1 ? "paid" : "unpaid",
        self_bill_request_date: date(row.paid_at),
        self_bill_release_date: date(row.paid_at),
      }
    : {};
  const item = (index: number, sku: string, sale: number, commission: number, own: Record<string, unknown>) => ({
    conversion_item_id: `${conversionId(row)}x${index}`,
    sku,
    category: sku,
    item_value: reportAmount(sale),
    item_publisher_commission: reportAmount(commission),
    item_status: status,
    last_update: date(row.validated_at ?? row.amended_at ?? row.transacted_at),
    publisher_self_bill_id: row.paid_to_publisher === 1 ? row.payment_id : null,
    approved_at: row.status === "approved" ? date(row.validated_at) : null,
    reject_reason: status === "rejected" ? row.decline_reason : null,
    voucher_codes: row.voucher_code === null ? [] : [{ voucher_code: row.voucher_code }],
    payable: row.status === "approved",
    ...payment,
    ...own,
  });
  const parts = JSON.parse(row.parts) as SoldPart[];
  const items = parts.map((part, index) => item(index, part.groupCode, part.salePence, part.commissionPence, {}));
  const taken = (recorded?.sale_pence ?? row.sale_pence) - row.sale_pence;
  if (taken > 0)
    items.push(
      item(parts.length, "RETURNED", taken, (recorded?.commission_pence ?? 0) - row.commission_pence, {
        item_status: "rejected",
        last_update: date(row.amended_at),
        approved_at: null,
        reject_reason: row.amend_reason,
        payment_status: null,
        self_bill_release_date: null,
      }),
    );
  return {
    conversion_data: {
      conversion_id: conversionId(row),
      campaign_id: campaignId(row.advertiser_id),
      publisher_id: publisherId,
      conversion_time: date(row.transacted_at),
      creative_type: 0,
      currency: row.currency,
      publisher_reference: row.click_ref ?? "",
      advertiser_reference: "",
      conversion_reference: row.order_ref,
      customer_type: null,
      last_modified: date(row.changed_at),
      conversion_type: 1,
      country: "GB",
      campaign_title: row.advertiser_name,
      click: { type: "standard", set_time: date(row.clicked_at), publisher_reference: row.click_ref ?? "" },
      conversion_value: {
        conversion_status: taken > 0 && status !== "rejected" ? "mixed" : status,
        value: reportAmount(row.sale_pence + Math.max(taken, 0)),
        publisher_commission: reportAmount(row.commission_pence),
      },
      conversion_items: items,
      was_disputed: false,
      conversion_lag: Math.max(Math.round((row.transacted_at - row.clicked_at) / 1000), 0),
      clickref: row.awc ?? "",
      ...payment,
    },
  };
}
