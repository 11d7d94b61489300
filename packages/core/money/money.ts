/**
 * Money without floats (product.md C4). An amount is a safe integer of pence (or of another currency's minor units);
 * a rate is an integer of basis points (600 = 6 %). Products are worked out in BigInt, so nothing is lost on the way.
 */

/** Integer pence within ±(2^53 − 1). Negative amounts are money owed the other way. */
export type Pence = number;

/** Integer basis points: 10,000 is the whole. */
export type BasisPoints = number;

const MINUS = "\u2212";

/** Gives the amount back; throws a RangeError when it is not a safe integer. The guard at every border where money comes in. */
export function pence(amount: number): Pence {
  if (!Number.isSafeInteger(amount))
    throw new RangeError(`An amount of money must be a whole number of pence within ±2^53, not ${amount}.`);
  return amount === 0 ? 0 : amount;
}

/** Adds amounts of pence; throws a RangeError when the sum leaves the safe range. */
export function sumPence(amounts: Iterable<Pence>): Pence {
  let total = 0;
  for (const amount of amounts) total = pence(total + pence(amount));
  return total;
}

/** `£1,234.56`; negative amounts carry a real minus sign (U+2212), which screen readers read and fonts align. */
export function formatPence(amount: Pence): string {
  const { sign, pounds, rest } = split(amount);
  return `${sign}£${pounds}.${rest}`;
}

/** As formatPence, without the pence where they are nought: `£10`, `£10.50`. For headlines and rates, not for tables. */
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

/** Basis points as people read them: 600 → `6%`, 750 → `7.5%`, 25 → `0.25%`. */
export function formatRate(rate: BasisPoints): string {
  const digits = String(Math.abs(pence(rate))).padStart(3, "0");
  const fraction = digits.slice(-2).replace(/0+$/, "");
  return `${rate < 0 ? MINUS : ""}${digits.slice(0, -2)}${fraction && `.${fraction}`}%`;
}

/**
 * `rate` of `amount`, rounded down to the penny. Negative amounts round towards nought too, so that a refund of a
 * purchase is the exact opposite of the purchase.
 */
export function percentOf(amount: Pence, rate: BasisPoints): Pence {
  return toPence((BigInt(pence(amount)) * BigInt(pence(rate))) / 10_000n);
}

/**
 * Splits an amount by weights so that the parts add up to it to the penny: everyone gets their share rounded down, and
 * the pennies left over go to the largest remainders, earlier ones first. Throws a RangeError without a positive weight.
 */
export function allocate(amount: Pence, weights: readonly number[]): Pence[] {
  const parts = weights.map((weight) => BigInt(pence(weight)));
  if (parts.some((weight) => weight < 0n)) throw new RangeError("Weights must not be negative.");
  const whole = parts.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) throw new RangeError("At least one weight must be positive.");
  const size = BigInt(Math.abs(pence(amount)));
  const shares = parts.map((weight) => ({
    floor: (size * weight) / whole,
    remainder: (size * weight) % whole,
  }));
  let left = size - shares.reduce((sum, share) => sum + share.floor, 0n);
  // Sorting is stable: of equal remainders the earlier one stays first.
  for (const share of [...shares].sort((a, b) => Number(b.remainder - a.remainder))) {
    if (left === 0n) break;
    share.floor += 1n;
    left -= 1n;
  }
  return shares.map((share) => (amount < 0 ? toPence(-share.floor) : toPence(share.floor)));
}

/**
 * Reads what a person types for pounds: `12`, `12.3`, `12.34`, `£1,234.56`, with spaces around. Gives pence, or null
 * for anything else: more than two decimals, misplaced commas, exponents, negative amounts, or more than fits.
 */
export function parsePounds(text: string): Pence | null {
  const match = /^£?\s*(\d{1,3}(?:,\d{3})+|\d{1,16})(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const amount = Number(BigInt(match[1]!.replaceAll(",", "")) * 100n + BigInt((match[2] ?? "").padEnd(2, "0")));
  return Number.isSafeInteger(amount) ? amount : null;
}

/** Digits after the point of currencies that do not have two (ISO 4217); all others have two. */
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

/** How many digits a currency has after the point: GBP 2, JPY 0, KWD 3. */
export function minorDigits(currency: string): number {
  return EXPONENTS[currency] ?? 2;
}

/**
 * Reads a decimal amount as networks publish it, in JSON as a number or as text (`12.34`, `"12.3400"`, `-5`), into minor
 * units of its currency. Further digits are rounded half away from nought. Throws a RangeError for anything that is not
 * a plain decimal. A JSON number is read through its shortest decimal text, which is what the network wrote.
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

/** A number's shortest decimal text. Below a millionth JavaScript writes an exponent, and no currency has so small a unit; from 10^21 on the caller refuses it. */
function plainDecimal(amount: number): string {
  return Math.abs(amount) < 1e-6 ? "0" : String(amount);
}

/** Pounds per unit of a foreign currency in millionths: 0.855 GBP per EUR is 855,000. */
export type RateMicros = number;

/** One pound is one pound. */
export const PAR: RateMicros = 1_000_000;

/**
 * Minor units of a currency in pence, at a rate of `RateMicros`, rounded towards nought. The rate used is stored beside the
 * amount, so that an amendment months later is worked out at the same one.
 */
export function convertToPence(minorUnits: number, currency: string, rate: RateMicros): Pence {
  if (pence(rate) <= 0) throw new RangeError(`A conversion rate must be positive, not ${rate}.`);
  const perUnit = 10n ** BigInt(minorDigits(currency));
  return toPence((BigInt(pence(minorUnits)) * BigInt(rate) * 100n) / (perUnit * 1_000_000n));
}

function toPence(amount: bigint): Pence {
  return pence(Number(amount));
}
