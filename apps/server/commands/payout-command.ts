import type { PayoutMethod } from "@farthing/core/payouts/provider.ts";
import type { Db } from "@farthing/db/client.ts";
import type { FilesFolder } from "./files-folder.ts";

/** An error that the person at the command line can fix; printed without a stack. */
export class PayoutActionError extends Error {}

export interface PayoutActionParts extends FilesFolder {
  db: Db;
  /** Null: there is no account to pay from. */
  method: PayoutMethod<unknown> | null;
  bankKeys: readonly [string, ...string[]];
  payeeKeys: readonly [string, ...string[]];
  by: string;
  now(): Date;
}

/** Does one action from its typed words, and returns the lines to print. @throws PayoutActionError */
export type PayoutAction = (parts: PayoutActionParts, words: readonly string[]) => Promise<string[]>;

/** Returns the reason in the words that are left. @throws PayoutActionError */
export function whyOf(words: readonly string[]): string {
  const why = words.join(" ").trim();
  if (why.length < 3 || why.length > 500) throw new PayoutActionError("Say why, in 3 to 500 characters.");
  return why;
}

/** @throws PayoutActionError where members can't be paid */
export function methodOf({ method }: PayoutActionParts): PayoutMethod<unknown> {
  if (!method) throw new PayoutActionError("Set BACS_ORIGINATOR: the account that members are paid from.");
  return method;
}

export function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
