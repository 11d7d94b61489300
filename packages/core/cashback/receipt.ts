/** The receipt of a click (C5): its number, the rates, the terms and the promised dates as they were. Pure. */
import type { RateView } from "../catalogue/catalogue-view.ts";
import { paysCashback } from "../catalogue/rates.ts";
import { FOREIGN_CURRENCY_WORDS, rateCard, type RateCard } from "../catalogue/rate-card.ts";
import type { PreFlightFinding } from "../clicks/pre-flight.ts";
import type { RateSnapshot } from "../clicks/rate-snapshot.ts";
import { formatPence, formatRate, type Pence } from "../money/money.ts";
import type { CashbackState } from "./cashback-view.ts";

export interface Receipt {
  /** What the member quotes. */
  clickNumber: string;
  /** What the network carries; it names nobody. */
  reference: string;
  clickedAt: Date;
  retailer: { slug: string; name: string };
  networkName: string;
  /** What was found in the member's browser just before the click; null where no check ran. */
  preFlight: PreFlightFinding | null;
  snapshot: RateSnapshot;
  /** Null for clicks from before terms were kept: their hash is still proof. */
  terms: string | null;
  /** SHA-256 of terms and rates, in hexadecimal. */
  termsHash: string;
  /** Purchases that the click led to, oldest first. */
  purchases: {
    id: string;
    purchasedAt: Date;
    purchasePence: Pence;
    cashbackPence: Pence;
    state: CashbackState;
  }[];
}

/** Returns the rates of a receipt in words. */
export function receiptRates({ rates }: RateSnapshot): RateCard[] {
  return rates.map((rate) =>
    rateCard({ ...rate, boostedUntil: rate.boostedUntil === null ? null : new Date(rate.boostedUntil) } as RateView),
  );
}

const PRE_FLIGHT_WORDS: Readonly<Record<PreFlightFinding, string>> = {
  healthy: "Your browser reached the network just before you went on to the retailer.",
  slow: "The network did not answer your browser at once. You went on without waiting, and the purchase may be recorded all the same.",
  blocked:
    "Your browser, an extension or your connection did not let you reach the network, so the purchase may not be recorded.",
  no_cookies: "Your browser accepted no cookies, so the network may not recognise the purchase.",
};

/** Returns what the check of the browser found, in a sentence. */
export function preFlightWords(finding: PreFlightFinding | null): string {
  return finding === null ? "Your browser was not checked at this click." : PRE_FLIGHT_WORDS[finding];
}

const AFTER_WORDS: Readonly<Record<RateSnapshot["tracking"]["confirmsAfter"], string>> = {
  purchase: "after the purchase",
  travel: "after you have travelled",
  stay: "after your stay",
};

/** Returns what was promised about time, one sentence each. */
export function receiptDates({ rates, tracking }: RateSnapshot): string[] {
  if (!paysCashback(rates)) return ["No cashback was promised, so there is no date."];
  const { tracksWithinDays, confirmsWithinDays, confirmsAfter } = tracking;
  return [
    `Shows in your account within ${days(tracksWithinDays)}.`,
    `The retailer decides within ${days(confirmsWithinDays)} ${AFTER_WORDS[confirmsAfter]}.`,
  ];
}

function days({ min, max }: { min: number; max: number }): string {
  return min === max ? `${max} ${max === 1 ? "day" : "days"}` : `${min} to ${max} days`;
}

/** Returns what a purchase earns that no rate covers. */
export function otherwisePays({ memberShareBp, rates }: RateSnapshot): string | null {
  return !paysCashback(rates)
    ? null
    : `A purchase that none of these rates covers earns ${formatRate(memberShareBp)} of what the retailer pays us for it.`;
}

const moments = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Europe/London",
  dateStyle: "long",
  timeStyle: "medium",
});

/** Returns the receipt as plain text, for people to keep: 78 columns at most, except where a word is longer. */
export function receiptText(receipt: Receipt, { brandName }: { brandName: string }): string {
  const { snapshot } = receipt;
  const lines = [
    `${brandName}: receipt for a click`,
    "",
    `Click number: ${receipt.clickNumber}`,
    `Retailer: ${receipt.retailer.name}`,
    ...(snapshot.offerTitle ? [`Offer: ${snapshot.offerTitle}`] : []),
    `Followed on: ${moments.format(receipt.clickedAt)} (London)`,
    `Network: ${receipt.networkName}, reference ${receipt.reference}`,
    `Check of your browser: ${preFlightWords(receipt.preFlight)}`,
    "",
    "RATES AT THE CLICK",
    ...receiptRates(snapshot).flatMap((card) => [
      `- ${card.label}: ${[card.pays, card.base, card.cap, card.usual].filter(Boolean).join(", ")}`,
      ...(card.example ? [`  For example: ${card.example}`] : []),
    ]),
    ...(paysCashback(snapshot.rates) ? [] : ["No cashback was promised."]),
    ...[otherwisePays(snapshot), FOREIGN_CURRENCY_WORDS].filter((line) => line !== null),
    "",
    "DATES PROMISED",
    ...receiptDates(snapshot).map((line) => `- ${line}`),
    "",
    "TERMS AT THE CLICK",
    receipt.terms ?? "The text was not kept for clicks as old as this one.",
    "",
    `Fingerprint of terms and rates (SHA-256): ${receipt.termsHash}`,
    ...(receipt.purchases.length === 0
      ? []
      : [
          "",
          "PURCHASES SO FAR",
          ...receipt.purchases.map(
            (one) =>
              `- ${moments.format(one.purchasedAt)}: ${formatPence(one.purchasePence)}, cashback ${formatPence(one.cashbackPence)} (${one.state})`,
          ),
        ]),
  ];
  return `${lines.flatMap((line) => wrap(line)).join("\r\n")}\r\n`;
}

/** Returns the receipt as data, for programs: amounts in pence, rates in basis points, moments in UTC. */
export function receiptJson(receipt: Receipt, { brandName }: { brandName: string }): string {
  const { snapshot, purchases, clickedAt, retailer, ...rest } = receipt;
  const shown = {
    club: brandName,
    ...rest,
    clickedAt: clickedAt.toISOString(),
    retailer: retailer.name,
    ...snapshot,
    purchases: purchases.map(({ id: _id, purchasedAt, ...one }) => ({
      purchasedAt: purchasedAt.toISOString(),
      ...one,
    })),
  };
  return `${JSON.stringify(shown, null, 2)}\n`;
}

const WIDTH = 78;

function wrap(text: string): string[] {
  return text.split(/\r?\n/).flatMap(wrapLine);
}

/** Later lines of an item stand under its first word. */
function wrapLine(line: string): string[] {
  const [first, rest] = [/^ */.exec(line)![0], line.startsWith("- ") ? "  " : ""];
  const lines: string[] = [];
  let current = "";
  for (const word of line.trim().split(/ +/)) {
    if (current === "") current = `${lines.length === 0 ? first : rest || first}${word}`;
    else if (current.length + 1 + word.length <= WIDTH) current += ` ${word}`;
    else {
      lines.push(current);
      current = `${rest || first}${word}`;
    }
  }
  return [...lines, current];
}
