import type { Day } from "./bacs-calendar.ts";
import type { PayoutMethodName, PayoutReason } from "./rules.ts";
import type { Pence } from "../money/money.ts";

/** One payment of a batch, with what the method pays to. */
export interface Payment<Destination> {
  /** Twelve capital letters and digits, unique for ever. */
  reference: string;
  amountPence: Pence;
  destination: Destination;
}

export interface BatchForFiles<Destination> {
  batchNumber: number;
  madeAt: Date;
  processingDay: Day;
  payments: readonly Payment<Destination>[];
}

/** A payment that did not reach its member, as the method's provider reports it. */
export interface ReportedFailure {
  /** As it was read: not ours unless a payout has it. */
  reference: string;
  amountPence: Pence;
  /** `refused`: the provider gave a code that we don't know. Such a line is not applied. */
  reason: PayoutReason;
  /** What the provider said, for the operator. */
  said: string;
}

/**
 * A way to pay members in batches (C6). The core decides who is paid what and when; a method knows what it pays to and
 * speaks its provider's files. Every function is pure. Gift cards are no batch: each is an order of its own
 * (gift-cards/take-cashback.server.ts).
 */
export interface PayoutMethod<Destination> {
  name: PayoutMethodName;
  /** Decrypts what a payout is paid to. @throws UnreadableDetailsError */
  open(sealed: string, memberId: string): Destination;
  /** Returns the same files for the same batch, whenever they are asked for. */
  files(batch: BatchForFiles<Destination>): { name: string; text: string }[];
  /** Reads the provider's report. @throws FailuresFileError that names the place and says what to do */
  readFailures(text: string): ReportedFailure[];
}

/** A failures file that can't be read: nothing of it was applied. */
export class FailuresFileError extends Error {}
