/**
 * What the club needs from an affiliate network (product.md C2). An adapter speaks one network's formats and nothing else: it keeps no
 * state, reads no environment and touches no database. packages/providers/affiliates/contract.testing.ts says what all of them must do.
 */
import type { ReportedTransaction } from "./network-transaction.ts";

export interface NetworkProvider {
  /** The slug of its row in `networks`. */
  readonly slug: string;

  /** The address to send a member to. `reference` is the click's, and comes back with the sale; `landingUrl` is where they end up. */
  buildLink(link: { networkProgrammeId: string; landingUrl: string; reference: string }): string;

  /** Reads which transaction a push is about. Never throws: what cannot be read is kept raw and looked at by a person. */
  readPush(push: RawPush): PushReading;

  /** The passes over its report that together find every new, changed and corrected transaction. */
  readonly passes: readonly ReportPass[];

  /** All transactions whose date of that kind lies in the window. Splits windows that are longer than the network allows. */
  fetchTransactions(window: { pass: ReportPass; from: Date; to: Date }): Promise<ReportAnswer>;

  /** The transactions with these ids, as the network knows them now. Ids it does not know are missing from the answer. */
  fetchTransactionsById(ids: readonly string[]): Promise<ReportAnswer>;

  /** Calls that may be made right now without waiting, under the network's limit. Confirming a push goes before polling. */
  callsLeft(): number;
}

export type ReportPass = "transaction" | "validation" | "amendment";

/** A push as it arrived: the body of a POST, or the query string of a GET. */
export interface RawPush {
  contentType: string;
  body: Uint8Array;
}

export type PushReading =
  | { outcome: "read"; networkTransactionId: string }
  | { outcome: "unreadable"; problem: string };

export interface ReportAnswer {
  transactions: ReportedTransaction[];
  /** Rows that did not have the network's shape, each said in a sentence; the others are not held up by them. */
  unreadable: string[];
}

/** The network did not answer, or not now: nothing is known, and the same question may be asked again later. */
export class NetworkUnavailableError extends Error {
  readonly retryAfterSeconds: number | null;
  constructor(
    message: string,
    { retryAfterSeconds = null, cause }: { retryAfterSeconds?: number | null; cause?: unknown } = {},
  ) {
    super(message, { cause });
    this.name = "NetworkUnavailableError";
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
