import { commandLine } from "../command-line.ts";

export const REFUND_USAGE = `${commandLine("payments:refund <payment> [pounds] [another]")}

Refunds a card payment: all that is left of it, or an amount in pounds (12 or 12.34). The same amount within a day is
the same refund, so you can repeat the command; "another" refunds that amount once more.`;

export interface WantedRefund {
  publicId: string;
  /** Null: all that is left. */
  amountPence: number | null;
  isAnother: boolean;
}

/** Reads the command's words; null if they are malformed. Pounds are read digit by digit, never as a float. */
export function readRefund(words: readonly string[]): WantedRefund | null {
  const isAnother = words.length > 1 && words.at(-1) === "another";
  const [publicId = "", pounds, ...more] = isAnother ? words.slice(0, -1) : words;
  if (!/^[A-Za-z0-9_-]{22}$/.test(publicId) || more.length > 0) return null;
  if (pounds === undefined) return { publicId, amountPence: null, isAnother };
  const [, whole, rest = "00"] = /^(\d{1,7})(?:\.(\d{2}))?$/.exec(pounds) ?? [];
  return whole === undefined ? null : { publicId, amountPence: Number(whole) * 100 + Number(rest), isAnother };
}
