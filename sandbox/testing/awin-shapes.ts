import type { Shape } from "./shape-problems.ts";

const money: Shape = { amount: "number", currency: "text" };
const clickRefs: Shape = { clickRef: { $optional: "text" }, clickRef2: { $optional: "text" }, clickRef3: { $optional: "text" }, clickRef4: { $optional: "text" }, clickRef5: { $optional: "text" }, clickRef6: { $optional: "text" } };

/** GET /publishers/{id}/transactions/, field by field as published (with the samples' types). Written apart from the code that answers. */
export const reportShape: Shape = [
  {
    id: "whole number", url: "text", advertiserId: "whole number", publisherId: "whole number", commissionSharingPublisherId: { $nullable: "whole number" },
    commissionSharingSelectedRatePublisherId: { $nullable: "whole number" }, campaign: { $nullable: "text" }, siteName: "text",
    commissionStatus: { $oneOf: ["pending", "approved", "declined", "deleted"] }, commissionAmount: money, saleAmount: money, ipHash: "text", customerCountry: "text",
    clickRefs: { $nullable: clickRefs }, clickDate: "local time", transactionDate: "local time", validationDate: { $nullable: "local time" },
    type: { $oneOf: ["Commission group transaction"] }, declineReason: { $nullable: "text" }, voucherCodeUsed: "boolean", voucherCode: { $nullable: "text" },
    lapseTime: "whole number", amended: "boolean", amendReason: { $nullable: "text" }, oldSaleAmount: { $nullable: money }, oldCommissionAmount: { $nullable: money },
    clickDevice: "text", transactionDevice: "text", customerAcquisition: { $nullable: "text" }, publisherUrl: "text", advertiserCountry: "text", orderRef: "text",
    customParameters: { $nullable: [{ key: "text", value: "text" }] },
    transactionParts: [{
      commissionGroupId: "whole number", amount: "number", commissionAmount: "number", advertiserCost: "null", commissionGroupCode: "text", commissionGroupName: "text",
      trackedParts: [{ code: "text", amount: "number", currency: "text" }],
    }],
    paidToPublisher: "boolean", paymentId: "whole number", transactionQueryId: "whole number", originalSaleAmount: { $nullable: "number" },
    advertiserCost: { amount: "null", currency: "null" },
    basketProducts: { $nullable: [{ productId: "text", productName: "text", unitPrice: "number", quantity: "whole number", skuCode: "text", commissionGroupCode: "text", category: "text" }] },
  },
];

/** The JSON in the push's form field AwinTransactionPush: every value is text. */
export const pushShape: Shape = {
  transactionId: "whole number as text", transactionDate: "push time", transactionCurrency: "text", transactionAmount: "amount as text", trackedCurrency: "text",
  trackedAmount: "amount as text", affiliateId: "whole number as text", merchantId: "whole number as text", groupId: "whole number as text", bannerId: "whole number as text",
  clickRef: "text", clickRef2: { $optional: "text" }, clickRef3: { $optional: "text" }, clickRef4: { $optional: "text" }, clickRef5: { $optional: "text" },
  clickRef6: { $optional: "text" }, clickThroughTime: "push time", clickTime: "push time", ip: "text", commission: "amount as text", url: "text", phrase: "text", searchEngine: "text",
  commissionGroups: [{ id: "whole number as text", name: "text", code: "text", description: "text" }],
  products: [{ productName: "text", unitPrice: "amount as text", skuType: "text", skuCode: "text", quantity: "whole number as text", category: "text", cgId: "whole number as text" }],
};
