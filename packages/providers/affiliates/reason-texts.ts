import type { DeclineReason } from "@farthing/core/networks/decline-reason.ts";

/**
 * Texts that retailers choose or write: Awin's declineReason, Partnerize's reject_reason. A more telling pattern comes before a more
 * general one.
 */
const REASON_TEXTS: readonly (readonly [RegExp, DeclineReason])[] = [
  [/\bsuspe\w+|\bfraud/i, "suspected_fraud"],
  [/\bbooking\b.*\bcancel|\bcancel\w*\b.*\bbooking|\bno[- ]?show\b/i, "booking_cancelled"],
  [/\breturn|\brefund|\bsent back/i, "returned"],
  [/\bduplicat|\balready (?:tracked|counted|paid)/i, "duplicate"],
  [/\bcancel/i, "cancelled"],
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
  [
    /\bbreach|\bterms|\bt ?(?:&|and) ?c|\bcompliance|\bnot (?:valid|eligible)|\bineligible|\bnot qualify|\bexcluded/i,
    "not_eligible",
  ],
  [/\bamend|\bpartial|\bamount (?:changed|corrected)/i, "amended"],
  [/^\s*other\b/i, "other"],
];

/** Returns what a retailer's own text means (C3): `unknown_code` for a text that no pattern knows, `not_given` for none. */
export function reasonOfText(text: string | null | undefined): DeclineReason {
  const given = text?.trim() ?? "";
  if (given === "") return "not_given";
  return REASON_TEXTS.find(([pattern]) => pattern.test(given))?.[1] ?? "unknown_code";
}

const NOT_FOUND =
  /\b(?:can ?not|can't|could not|couldn't|not|unable to) (?:be )?(?:traced?|found|find|located?|identif\w+|match\w*)|\bno (?:record|such|matching)\b|\b(?:order|transaction) (?:id|number)? ?(?:is )?(?:unknown|invalid)/i;

/** Returns what a retailer's sentence against a claim means (C7); null for none and for one that no pattern knows: the member reads its words. */
export function claimReasonOfText(text: string | null): DeclineReason | null {
  if (text !== null && NOT_FOUND.test(text)) return "not_found";
  const reason = reasonOfText(text);
  return reason === "not_given" || reason === "unknown_code" || reason === "other" ? null : reason;
}
