import { modulusWeightTable, substitutedSortCodes } from "./modulus-weights.server.ts";

type Algorithm = "MOD10" | "MOD11" | "DBLAL";

interface WeightLine {
  first: string;
  last: string;
  algorithm: Algorithm;
  /** For the digits uvwxyz of the sort code, then abcdefgh of the account number. */
  weights: readonly number[];
  exception: number;
}

const lines: readonly WeightLine[] = modulusWeightTable
  .trim()
  .split("\n")
  .map((line) => {
    const [first = "", last = "", algorithm, ...numbers] = line.split(" ");
    const weights = numbers.slice(0, 14).map(Number);
    return { first, last, algorithm: algorithm as Algorithm, weights, exception: Number(numbers[14] ?? 0) };
  });

/** Positions of letters that the rules name. */
const [A, B, C, G, H] = [6, 7, 8, 12, 13];

/**
 * Returns whether an account number can exist at a sort code, by "Validating account numbers" of Pay.UK, version 8.50,
 * all exceptions included. Sort codes that the table does not have can't be checked and pass. It finds most slips of the
 * pen; whether the account exists only the bank knows.
 * @param sortCode six digits
 * @param accountNumber eight digits
 */
export function passesModulusCheck(sortCode: string, accountNumber: string): boolean {
  const [one, two] = lines.filter(({ first, last }) => first <= sortCode && sortCode <= last);
  if (!one) return true;
  const passes = (line: WeightLine) => passesLine(line, sortCode, accountNumber);
  const digits = digitsOf(sortCode + accountNumber);
  // Exception 6: accounts in a foreign currency, which can't be checked.
  if (one.exception === 6 && digits[A]! >= 4 && digits[A]! <= 8 && digits[G] === digits[H]) return true;
  if (!two) return passes(one);
  // Pairs of which one has to pass: 2 and 9, 10 and 11, 12 and 13.
  if ([2, 10, 12].includes(one.exception) && two.exception !== 0) return passes(one) || passes(two);
  // Exception 3: the second check is not made for these account numbers.
  if (two.exception === 3 && (digits[C] === 6 || digits[C] === 9)) return passes(one);
  return passes(one) && passes(two);
}

function passesLine({ algorithm, weights, exception }: WeightLine, sortCode: string, accountNumber: string): boolean {
  const digits = digitsOf(checkedSortCode(exception, sortCode) + accountNumber);
  const used = changedWeights(exception, weights, digits);
  const total = totalOf(algorithm, used, digits) + (exception === 1 ? 27 : 0);
  const modulus = algorithm === "MOD11" ? 11 : 10;
  const remainder = total % modulus;
  if (exception === 4) return remainder === digits[G]! * 10 + digits[H]!;
  if (exception === 5) {
    const checkDigit = algorithm === "MOD11" ? digits[G]! : digits[H]!;
    return remainder === 0 ? checkDigit === 0 : modulus - remainder === checkDigit;
  }
  if (remainder === 0 || exception !== 14) return remainder === 0;
  // Exception 14 (Coutts): without the last digit, where it is 0, 1 or 9.
  if (![0, 1, 9].includes(digits[H]!)) return false;
  const moved = digitsOf(`${sortCode}0${accountNumber.slice(0, 7)}`);
  return totalOf(algorithm, weights, moved) % modulus === 0;
}

function checkedSortCode(exception: number, sortCode: string): string {
  if (exception === 5) return substitutedSortCodes[sortCode] ?? sortCode;
  if (exception === 8) return "090126";
  if (exception === 9) return "309634";
  return sortCode;
}

function changedWeights(exception: number, weights: readonly number[], digits: readonly number[]): readonly number[] {
  const ab = digits[A]! * 10 + digits[B]!;
  const withoutFirstEight = () => weights.map((weight, position) => (position <= B ? 0 : weight));
  if (exception === 2 && digits[A] !== 0)
    return digits[G] === 9 ? [0, 0, 0, 0, 0, 0, 0, 0, 8, 7, 10, 9, 3, 1] : [0, 0, 1, 2, 5, 3, 6, 4, 8, 7, 10, 9, 3, 1];
  if (exception === 7 && digits[G] === 9) return withoutFirstEight();
  if (exception === 10 && (ab === 9 || ab === 99) && digits[G] === 9) return withoutFirstEight();
  return weights;
}

/** Sums the products; in the double alternate algorithm, their digits. */
function totalOf(algorithm: Algorithm, weights: readonly number[], digits: readonly number[]): number {
  return digits.reduce((sum, digit, position) => {
    const product = digit * weights[position]!;
    return sum + (algorithm === "DBLAL" ? Math.floor(product / 10) + (product % 10) : product);
  }, 0);
}

function digitsOf(text: string): number[] {
  return [...text].map(Number);
}
