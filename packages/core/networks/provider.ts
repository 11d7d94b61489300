/**
 * What the club needs from an affiliate network (C2). An adapter translates one network's formats: it stores nothing, reads no environment and
 * uses no database. packages/providers/affiliates/contract.testing.ts tests the contract; docs/adding-a-network.md shows how to write an adapter.
 */
import type { ReportedTransaction } from "./network-transaction.ts";

export interface NetworkProvider {
  /** The slug of its row in `networks`. */
  readonly slug: string;

  /** Returns the URL that a member is sent to. `reference` is the click's and comes back with the sale; `landingUrl` is the page they arrive at. */
  buildLink(link: { networkProgrammeId: string; landingUrl: string; reference: string }): string;

  /** The origins that its links lead to, such as `https://www.awin1.com`: a page may ask these before a click whether they can be reached. */
  readonly linkOrigins: readonly string[];

  /** Returns which transaction a push is about. Never throws: an unreadable push is kept raw for an operator. */
  readPush(push: RawPush): PushReading;

  /** The passes that together find every new, changed and corrected transaction. */
  readonly passes: readonly ReportPass[];

  /** Returns all transactions whose date of that kind lies in the window. Splits windows that are longer than the network allows. */
  fetchTransactions(window: { pass: ReportPass; from: Date; to: Date }): Promise<ReportAnswer>;

  /** Returns the transactions with these ids in their current state. Unknown ids are missing from the answer. */
  fetchTransactionsById(ids: readonly string[]): Promise<ReportAnswer>;

  /** Returns how many calls the network's limit allows now. Confirming pushes takes precedence over polling. */
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
  /** One sentence for each row that could not be read; such rows do not hold up the others. */
  unreadable: string[];
}

/** Thrown when the network does not answer or refuses: nothing is known, and the request may be repeated later. */
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
