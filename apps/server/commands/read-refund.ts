import { commandLine } from "../command-line.ts";
export const REFUND_USAGE = `${commandLine("payments:refund <payment> [pounds]")}

Refunds a card payment: all that is left of it, or an amount in pounds (12 or 12.34).`;

/** Reads the command's words; null if they are malformed. Pounds are read digit by digit, never as a float. */
export function readRefund(words: readonly string[]): { publicId: string; amountPence: number | null } | null {
  const [publicId = "", pounds, ...more] = words;
  if (!/^[A-Za-z0-9_-]{22}$/.test(publicId) || more.length > 0) return null;
  if (pounds === undefined) return { publicId, amountPence: null };
  const [, whole, rest = "00"] = /^(\d{1,7})(?:\.(\d{2}))?$/.exec(pounds) ?? [];
  return whole === undefined ? null : { publicId, amountPence: Number(whole) * 100 + Number(rest) };
}
