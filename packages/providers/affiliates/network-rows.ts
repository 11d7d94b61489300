import { parseMinorUnits } from "@farthing/core/money/money.ts";
import type { ReportedTransaction } from "@farthing/core/networks/network-transaction.ts";
import type { ReportAnswer } from "@farthing/core/networks/provider.ts";
import { z } from "zod";

/**
 * Reads rows one by one: a row that `read` throws on is listed under `unreadable` and holds up no other. The sentences name the row's id and fields and
 * repeat no value of the row: a network may write our own credentials into any of them.
 */
export function readNetworkRows(
  rows: readonly unknown[],
  read: (row: unknown) => ReportedTransaction,
  { name, idOf, secrets }: { name: string; idOf: (row: unknown) => unknown; secrets: readonly string[] },
): ReportAnswer {
  const answer: ReportAnswer = { transactions: [], unreadable: [] };
  for (const row of rows) {
    try {
      answer.transactions.push(read(row));
    } catch (error) {
      answer.unreadable.push(`${name} ${shownId(idOf(row), secrets)}: ${problemOf(error)}`);
    }
  }
  return answer;
}

function shownId(id: unknown, secrets: readonly string[]): string {
  const text = typeof id === "string" || typeof id === "number" ? String(id) : "";
  const isPlain = /^[\w.-]{1,64}$/.test(text) && !secrets.some((secret) => secret !== "" && text.includes(secret));
  return isPlain ? text : "without a readable id";
}

function problemOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues
      .slice(0, 5)
      .map(({ path, message }) => `${path.join(".").slice(0, 60) || "the row"} ${message}`)
      .join("; ");
  return error instanceof UnreadableRowError ? error.message : "cannot be read";
}

/** Thrown for a row whose fields do not fit each other. The message is ours and holds no value of the row. */
export class UnreadableRowError extends Error {
  override readonly name = "UnreadableRowError";
}

/** Text of the network, trimmed; empty and absent are null. Numbers are read as text. */
export const optionalText = z
  .union([z.string(), z.number().transform(String)], { error: "is not text" })
  .nullish()
  .transform((text) => text?.trim() || null);

export const networkId = z
  .union([z.int().nonnegative().transform(String), z.string()], { error: "is not an id" })
  .refine((text) => /^[\w.-]{1,64}$/.test(text), "is not an id");

/** ISO 4217. */
export const currencyCode = z.string({ error: "is not text" }).regex(/^[A-Z]{3}$/, "is not a currency code such as GBP");

/** A decimal amount as JSON number or text; empty and absent are null. */
export const optionalDecimal = z
  .union([z.number(), z.string()], { error: "is not an amount" })
  .nullish()
  .transform((amount) => (typeof amount === "string" ? amount.trim() || null : (amount ?? null)));

/** Returns an amount in minor units of its currency, exactly; null stands for zero. @throws UnreadableRowError for anything but a plain decimal */
export function minorUnits(amount: string | number | null, currency: string): number {
  try {
    return amount === null ? 0 : parseMinorUnits(amount, currency);
  } catch {
    throw new UnreadableRowError("an amount is not a decimal");
  }
}
