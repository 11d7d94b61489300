export type TransactionStatus = "pending" | "approved" | "declined" | "deleted";

/** A sale or lead as the engine stores it. Amounts are pence; times are milliseconds since 1970. */
export interface TransactionRow {
  id: number;
  advertiser_id: number;
  advertiser_name: string;
  publisher_id: number;
  awc: string | null;
  click_ref: string | null;
  more_click_refs: string;
  campaign: string | null;
  order_ref: string;
  status: TransactionStatus;
  sale_pence: number;
  commission_pence: number;
  currency: string;
  parts: string;
  products: string;
  voucher_code: string | null;
  device: string;
  ip: string | null;
  referrer: string | null;
  clicked_at: number;
  transacted_at: number;
  validated_at: number | null;
  amended_at: number | null;
  decline_reason: string | null;
  amend_reason: string | null;
  old_sale_pence: number | null;
  old_commission_pence: number | null;
  paid_to_publisher: number;
  payment_id: number;
  network: string;
  kind: "sale" | "lead";
  paid_at: number | null;
  changed_at: number;
}
