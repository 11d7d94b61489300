/**
 * What the networks' reason codes mean (C3), as data: CJ's correctionReason, Impact's AdjustmentReason and reason codes, Partnerize's
 * reject_reason, Awin's declineReason. Awin and Partnerize have texts that each retailer chooses or writes, so theirs are patterns; the first
 * that matches counts. Rakuten reports a further row with a negative amount and no reason.
 */
import type { DeclineReason } from "./decline-reason.ts";

export const CJ_REASONS = {
  INVALID_CREDIT_CARD: "card_refused",
  RETURNED_MERCHANDISE: "returned",
  DUPLICATED_ORDER: "duplicate",
  CANT_SHIP_OR_SOLD_OUT: "out_of_stock",
  UNQUALIFIED_LEAD: "unqualified",
  QUALIFIED_LEAD: "accepted_again",
  BAD_DEBT: "not_paid",
  BANKRUPTCY: "insolvent",
  COMPLIANCE: "not_eligible",
  BOOKING_CANCELED: "booking_cancelled",
  OTHER_REASON: "other",
} as const satisfies Record<string, DeclineReason>;

/** The codes of Impact's items (AdjustmentReason) and of its brands' modifications. A brand may add its own: those are unknown codes. */
export const IMPACT_REASONS = {
  ITEM_RETURNED: "returned",
  MP_RETURN: "returned",
  ORDER_UPDATE: "amended",
  RECALC_COMM: "amended",
  RESET: "amended",
  ORDER_ERROR: "wrongly_recorded",
  CONS_ERROR: "mistaken_order",
  CONS_FRAUD: "suspected_fraud",
  ITEM_OUT_OF_STOCK: "out_of_stock",
  NOT_COMPLIANCE_TERMS: "not_eligible",
  CREDITED_DIFFERENT_MP: "other_site",
  PUB_ACT_DISPUTE: "disputed",
  ADV_ACT_DISPUTE: "disputed",
  OVERLIMIT_WEEKDAYCAP: "over_limit",
  OVERLIMIT_WEEKENDCAP: "over_limit",
  OVERLIMIT_BUDGET: "over_limit",
  OVERLIMIT_ACTIONCAP: "over_limit",
  OVERLIMIT_CONCURRENTCALLS: "over_limit",
  OVERLIMIT_UNKNOWN_CALLERID: "over_limit",
  TEST_ACTION: "test",
  OTHER: "other",
} as const satisfies Record<string, DeclineReason>;

/** Texts of Awin's declineReason and Partnerize's reject_reason. A more telling pattern comes before a more general one. */
export const REASON_TEXTS: readonly (readonly [RegExp, DeclineReason])[] = [
  [/\bsuspe\w+|\bfraud/i, "suspected_fraud"],
  [/\bbooking\b.*\bcancel|\bcancel\w*\b.*\bbooking|\bno[- ]?show\b/i, "booking_cancelled"],
  [/\breturn|\brefund|\bsent back/i, "returned"],
  [/\bcancel/i, "cancelled"],
  [/\bduplicat|\balready (?:tracked|counted|paid)/i, "duplicate"],
  [/\bvoucher|\bcoupon|\b(?:discount|promo(?:tion(?:al)?)?) code/i, "voucher"],
  [
    /\b(?:another|other|different) (?:site|publisher|affiliate|partner|channel)|\blast click|\battribut|\bppc\b|\bnot last\b/i,
    "other_site",
  ],
  [/\b(?:existing|not (?:a )?new|repeat|returning) customer/i, "existing_customer"],
  [/\bcard (?:was )?(?:declined|refused|invalid)|\binvalid card/i, "card_refused"],
  [/\bbankrupt|\binsolven|\badministration\b/i, "insolvent"],
  [/\bnon[- ]?pa(?:id|yment)|\bnot paid|\bunpaid|\bpayment (?:failed|declined|not received)|\bbad debt/i, "not_paid"],
  [/\bout of stock|\bsold out|\bstock\b|\bnot (?:delivered|shipped|dispatched)/i, "out_of_stock"],
  [/\bunqualified|\bapplication (?:declined|rejected|not)|\blead (?:declined|rejected|not)/i, "unqualified"],
  [/\btest\b/i, "test"],
  [/\bcap\b|\bbudget|\bover ?limit/i, "over_limit"],
  [/\bbreach|\bterms|\bt ?(?:&|and) ?c|\bcompliance|\bnot (?:valid|eligible)|\bineligible|\bexcluded/i, "not_eligible"],
  [/\bamend|\bpartial|\bamount (?:changed|corrected)/i, "amended"],
  [/^\s*other\b/i, "other"],
];

const CODES: Readonly<Record<string, Readonly<Record<string, DeclineReason>>>> = {
  cj: CJ_REASONS,
  impact: IMPACT_REASONS,
  rakuten: {},
};

/**
 * Returns what a network's own reason means.
 * @param network the network's slug; one without codes of its own is read by its text
 * @param code the code or text as the network sent it; null or blank where it sent none
 */
export function reasonOf(network: string, code: string | null | undefined): DeclineReason {
  const given = code?.trim() ?? "";
  if (given === "") return "not_given";
  const codes = Object.hasOwn(CODES, network) ? CODES[network]! : null;
  if (codes) {
    const known = given.toUpperCase().replaceAll(/[\s-]+/g, "_");
    return Object.hasOwn(codes, known) ? codes[known]! : "unknown_code";
  }
  return REASON_TEXTS.find(([pattern]) => pattern.test(given))?.[1] ?? "unknown_code";
}
