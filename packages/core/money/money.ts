/**
 * Money without floats (C4). An amount is a safe integer of pence (or of another currency's minor units);
 * a rate is an integer of basis points (600 = 6 %). Products are computed with BigInt, so that no precision is lost.
 */

/** Integer pence within ±(2^53 − 1). A negative amount is owed in the other direction. */
export type Pence = number;

/** Integer basis points: 10,000 is the whole. */
export type BasisPoints = number;

const MINUS = "\u2212";

/** Returns the amount. Use it wherever money comes in. @throws RangeError when the amount is not a safe integer. */
export function pence(amount: number): Pence {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`An amount of money must be a whole number of pence within ±2^53, not ${amount}.`);
  return amount === 0 ? 0 : amount;
}

/** Returns the sum of amounts. @throws RangeError when it leaves the safe range. */
export function sumPence(amounts: Iterable<Pence>): Pence {
  let total = 0;
  for (const amount of amounts) total = pence(total + pence(amount));
  return total;
}

/** Returns `£1,234.56`. Negative amounts have a minus sign (U+2212), which screen readers read and fonts align. */
export function formatPence(amount: Pence): string {
  const { sign, pounds, rest } = split(amount);
  return `${sign}£${pounds}.${rest}`;
}

/** Returns the amount without pence where they are zero: `£10`, `£10.50`. For headlines and rates, not for tables. */
export function formatPounds(amount: Pence): string {
  const { sign, pounds, rest } = split(amount);
  return rest === "00" ? `${sign}£${pounds}` : `${sign}£${pounds}.${rest}`;
}

function split(amount: Pence): { sign: string; pounds: string; rest: string } {
  const digits = String(Math.abs(pence(amount))).padStart(3, "0");
  return {
    sign: amount < 0 ? MINUS : "",
    pounds: digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ","),
    rest: digits.slice(-2),
  };
}

/** Returns basis points as a percentage: `6%` for 600, `7.5%` for 750, `0.25%` for 25. */
export function formatRate(rate: BasisPoints): string {
  const digits = String(Math.abs(pence(rate))).padStart(3, "0");
  const fraction = digits.slice(-2).replace(/0+$/, "");
  return `${rate < 0 ? MINUS : ""}${digits.slice(0, -2)}${fraction && `.${fraction}`}%`;
}

/**
 * Returns `rate` of `amount`, rounded towards zero to the penny, so that a refund is the exact opposite of its purchase.
 */
export function percentOf(amount: Pence, rate: BasisPoints): Pence {
  return toPence((BigInt(pence(amount)) * BigInt(pence(rate))) / 10_000n);
}

/**
 * Parses pounds as a person types them: `12`, `12.3`, `12.34`, `£1,234.56`, with spaces around. Returns pence, or null for anything else: more than
 * two decimals, misplaced commas, exponents, negative amounts, or more than a safe integer.
 */
export function parsePounds(text: string): Pence | null {
  const match = /^£?\s*(\d{1,3}(?:,\d{3})+|\d{1,16})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const amount = Number(BigInt(match[1]!.replaceAll(",", "")) * 100n + BigInt((match[2] ?? "").padEnd(2, "0")));
  return Number.isSafeInteger(amount) ? amount : null;
}

/**
 * Parses a percentage as a person types it: `7.5`, `7.5%`, `12 %`. Returns basis points, or null for anything else: more than two decimals, negative
 * rates, or more than 100 %.
 */
export function parsePercent(text: string): BasisPoints | null {
  const match = /^(\d{1,3})(?:\.(\d{1,2}))?\s*%?$/.exec(text.trim());
  if (!match) return null;
  const rate = Number(match[1]) * 100 + Number((match[2] ?? "").padEnd(2, "0"));
  return rate <= 10_000 ? rate : null;
}

/** Returns pence as decimal pounds, for programs and form fields: `24.99`, `-1234.00`. */
export function decimalPounds(amount: Pence): string {
  const whole = Math.trunc(Math.abs(amount) / 100);
  return `${amount < 0 ? "-" : ""}${whole}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;
}

/** Number of decimals of currencies that do not have two (ISO 4217). */
const EXPONENTS: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};

/** Returns the number of decimals of a currency: 2 for GBP, 0 for JPY, 3 for KWD. */
export function minorDigits(currency: string): number {
  return EXPONENTS[currency] ?? 2;
}

/** Returns minor units of a currency as a decimal, for programs: `24.99` for GBP, `1234` for JPY, `-1.234` for KWD. */
export function decimalMinorUnits(minorUnits: number, currency: string): string {
  const digits = minorDigits(currency);
  const text = String(Math.abs(minorUnits)).padStart(digits + 1, "0");
  const whole = digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`;
  return minorUnits < 0 ? `-${whole}` : whole;
}

/**
 * Parses a decimal amount as networks publish it, a JSON number or text (`12.34`, `"12.3400"`, `-5`), to minor units of its currency. Further digits are
 * rounded half away from zero. A JSON number is read through its shortest decimal text, which is what the network wrote.
 * @throws RangeError for anything that is not a plain decimal.
 */
export function parseMinorUnits(amount: string | number, currency = "GBP"): number {
  const text = typeof amount === "number" ? plainDecimal(amount) : amount.trim();
  const match = /^([+-]?)(\d{1,20})(?:\.(\d{0,40}))?$/.exec(text);
  if (!match) throw new RangeError(`Not an amount of money: ${JSON.stringify(amount).slice(0, 40)}.`);
  const digits = minorDigits(currency);
  const fraction = (match[3] ?? "").padEnd(digits + 1, "0");
  const roundUp = fraction.charCodeAt(digits) >= 53; // "5"
  const size = BigInt(match[2]! + fraction.slice(0, digits)) + (roundUp ? 1n : 0n);
  return toPence(match[1] === "-" ? -size : size);
}

/** Returns a number's shortest decimal text. Below a millionth JavaScript writes an exponent, and no currency has so small a unit; from 10^21 on the caller refuses it. */
function plainDecimal(amount: number): string {
  return Math.abs(amount) < 1e-6 ? "0" : String(amount);
}

/** Pounds per unit of a foreign currency, in millionths: 855,000 for 0.855 GBP per EUR. */
export type RateMicros = number;

/** The rate of pounds. */
export const PAR: RateMicros = 1_000_000;

/**
 * Returns minor units of a currency in pence, rounded towards zero. Callers store the rate beside the amount, so that an amendment months later uses the
 * same rate.
 */
export function convertToPence(minorUnits: number, currency: string, rate: RateMicros): Pence {
  if (pence(rate) <= 0) throw new RangeError(`A conversion rate must be positive, not ${rate}.`);
  const perUnit = 10n ** BigInt(minorDigits(currency));
  return toPence((BigInt(pence(minorUnits)) * BigInt(rate) * 100n) / (perUnit * 1_000_000n));
}

function toPence(amount: bigint): Pence {
  return pence(Number(amount));
}
