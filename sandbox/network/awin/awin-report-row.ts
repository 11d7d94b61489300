import type { SoldPart } from "../commission.ts";
import { reportAmount } from "../amounts.ts";
import { reportDateTime, type ReportTimeZone } from "../zone-time.ts";
import type { SoldProduct, TransactionRow } from "../transactions.ts";

/** An amount of money in Awin's API. */
interface ReportMoney {
  amount: number;
  currency: string;
}

/** A transaction of GET /publishers/{id}/transactions/. */
export interface ReportRow {
  id: number;
  url: string;
  advertiserId: number;
  publisherId: number;
  commissionSharingPublisherId: number | null;
  commissionSharingSelectedRatePublisherId: number | null;
  campaign: string | null;
  siteName: string;
  commissionStatus: string;
  commissionAmount: ReportMoney;
  saleAmount: ReportMoney;
  ipHash: string;
  customerCountry: string;
  clickRefs: Record<string, string> | null;
  clickDate: string;
  transactionDate: string;
  validationDate: string | null;
  type: string;
  declineReason: string | null;
  voucherCodeUsed: boolean;
  voucherCode: string | null;
  lapseTime: number;
  amended: boolean;
  amendReason: string | null;
  oldSaleAmount: ReportMoney | null;
  oldCommissionAmount: ReportMoney | null;
  clickDevice: string;
  transactionDevice: string;
  customerAcquisition: string | null;
  publisherUrl: string;
  advertiserCountry: string;
  orderRef: string;
  customParameters: { key: string; value: string }[] | null;
  transactionParts: {
    commissionGroupId: number;
    amount: number;
    commissionAmount: number;
    advertiserCost: null;
    commissionGroupCode: string;
    commissionGroupName: string;
    trackedParts: { code: string; amount: number; currency: string }[];
  }[];
  paidToPublisher: boolean;
  paymentId: number;
  transactionQueryId: number;
  originalSaleAmount: number | null;
  advertiserCost: { amount: null; currency: null };
  basketProducts:
    | {
        productId: string;
        productName: string;
        unitPrice: number;
        quantity: number;
        skuCode: string;
        commissionGroupCode: string;
        category: string;
      }[]
    | null;
}

export interface ReportOptions {
  timezone: ReportTimeZone;
  showBasketProducts: boolean;
  /** The address of the publisher's site, from its account. */
  siteUrl: string;
  advertiserCountry: string;
}

export function reportRow(row: TransactionRow, options: ReportOptions): ReportRow {
  const date = (time: number): string => reportDateTime(time, options.timezone);
  const money = (pence: number): ReportMoney => ({ amount: reportAmount(pence), currency: row.currency });
  const parts = JSON.parse(row.parts) as SoldPart[];
  const groupCode = new Map(parts.map((part) => [part.groupId, part.groupCode]));
  const products = JSON.parse(row.products) as SoldProduct[];
  return {
    id: row.id,
    url: options.siteUrl,
    advertiserId: row.advertiser_id,
    publisherId: row.publisher_id,
    commissionSharingPublisherId: null,
    commissionSharingSelectedRatePublisherId: null,
    campaign: row.campaign,
    siteName: "Publisher",
    commissionStatus: row.status,
    commissionAmount: money(row.commission_pence),
    saleAmount: money(row.sale_pence),
    ipHash: ipHash(row.ip ?? ""),
    customerCountry: "GB",
    clickRefs: clickRefs(row),
    clickDate: date(row.clicked_at),
    transactionDate: date(row.transacted_at),
    validationDate: row.validated_at === null ? null : date(row.validated_at),
    type: "Commission group transaction",
    declineReason: row.decline_reason,
    voucherCodeUsed: row.voucher_code !== null,
    voucherCode: row.voucher_code,
    lapseTime: Math.max(Math.round((row.transacted_at - row.clicked_at) / 1000), 0),
    amended: row.amended_at !== null,
    amendReason: row.amend_reason,
    oldSaleAmount: row.old_sale_pence === null ? null : money(row.old_sale_pence),
    oldCommissionAmount: row.old_commission_pence === null ? null : money(row.old_commission_pence),
    clickDevice: row.device,
    transactionDevice: row.device,
    customerAcquisition: null,
    publisherUrl: row.referrer ?? options.siteUrl,
    advertiserCountry: options.advertiserCountry,
    orderRef: row.order_ref,
    customParameters: null,
    transactionParts: parts.map((part) => ({
      commissionGroupId: part.groupId,
      amount: reportAmount(part.salePence),
      commissionAmount: reportAmount(part.commissionPence),
      advertiserCost: null,
      commissionGroupCode: part.groupCode,
      commissionGroupName: part.groupName,
      trackedParts: [{ code: part.groupCode, amount: reportAmount(part.salePence), currency: row.currency }],
    })),
    paidToPublisher: row.paid_to_publisher === 1,
    paymentId: row.payment_id,
    transactionQueryId: 0,
    originalSaleAmount: null,
    advertiserCost: { amount: null, currency: null },
    basketProducts: options.showBasketProducts
      ? products.map((product) => ({
          productId: product.sku,
          productName: product.name,
          unitPrice: reportAmount(product.unitPence),
          quantity: product.quantity,
          skuCode: product.sku,
          commissionGroupCode: groupCode.get(product.groupId) ?? "DEFAULT",
          category: product.category,
        }))
      : null,
  };
}

/** Returns only the references that were given; null if there was none. */
function clickRefs(row: TransactionRow): Record<string, string> | null {
  const refs = {
    ...(row.click_ref === null ? {} : { clickRef: row.click_ref }),
    ...(JSON.parse(row.more_click_refs) as Record<string, string>),
  };
  return Object.keys(refs).length > 0 ? refs : null;
}

/** Returns a signed 64-bit number as text, in Awin's format. */
function ipHash(ip: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const character of ip)
    hash = BigInt.asUintN(64, (hash ^ BigInt(character.codePointAt(0) ?? 0)) * 0x100000001b3n);
  return String(BigInt.asIntN(64, hash));
}
