import type { SoldPart } from "../commission.ts";
import { amountText } from "../amounts.ts";
import { pushDateTime } from "../zone-time.ts";
import type { SoldProduct, TransactionRow } from "../transactions.ts";

/**
 * Returns Awin's transaction notification: the JSON in the form field AwinTransactionPush. Every value is text, as in the
 * published examples; clickRef is empty if there is none, clickRef2 to clickRef6 are present only if set.
 */
export interface PushMessage {
  transactionId: string;
  transactionDate: string;
  transactionCurrency: string;
  transactionAmount: string;
  trackedCurrency: string;
  trackedAmount: string;
  affiliateId: string;
  merchantId: string;
  groupId: string;
  bannerId: string;
  clickRef: string;
  clickRef2?: string;
  clickRef3?: string;
  clickRef4?: string;
  clickRef5?: string;
  clickRef6?: string;
  clickThroughTime: string;
  clickTime: string;
  ip: string;
  commission: string;
  url: string;
  phrase: string;
  searchEngine: string;
  commissionGroups: { id: string; name: string; code: string; description: string }[];
  products: {
    productName: string;
    unitPrice: string;
    skuType: string;
    skuCode: string;
    quantity: string;
    category: string;
    cgId: string;
  }[];
}

export function pushMessage(row: TransactionRow): PushMessage {
  const parts = JSON.parse(row.parts) as SoldPart[];
  const products = JSON.parse(row.products) as SoldProduct[];
  return {
    transactionId: String(row.id),
    transactionDate: pushDateTime(row.transacted_at),
    transactionCurrency: row.currency,
    transactionAmount: amountText(row.sale_pence),
    trackedCurrency: row.currency,
    trackedAmount: amountText(row.sale_pence),
    affiliateId: String(row.publisher_id),
    merchantId: String(row.advertiser_id),
    groupId: "0",
    bannerId: "0",
    clickRef: row.click_ref ?? "",
    ...(JSON.parse(row.more_click_refs) as object),
    clickThroughTime: pushDateTime(row.clicked_at),
    clickTime: pushDateTime(row.clicked_at),
    ip: row.ip ?? "",
    commission: amountText(row.commission_pence),
    url: row.referrer ?? "",
    phrase: "",
    searchEngine: "",
    commissionGroups: parts.map((part) => ({
      id: String(part.groupId),
      name: part.groupName,
      code: part.groupCode,
      description: part.groupName,
    })),
    products: products.map((product) => ({
      productName: product.name,
      unitPrice: amountText(product.unitPence),
      skuType: "",
      skuCode: product.sku,
      quantity: String(product.quantity),
      category: product.category,
      cgId: String(product.groupId),
    })),
  };
}
