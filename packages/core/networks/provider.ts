/**
 * What the club needs from an affiliate network (C2). An adapter translates one network's formats: it stores nothing, reads no environment and
 * uses no database. packages/providers/affiliates/contract.testing.ts tests the contract; docs/adding-a-network.md shows how to write an adapter.
 */
import type { ClaimFiler } from "./claim-filer.ts";
import type { ReportedTransaction } from "./network-transaction.ts";

export interface NetworkProvider {
  /** The slug of its row in `networks`. */
  readonly slug: string;

  /**
   * Returns the URL that a member is sent to, on the host that tracks the click. `reference` is the click's and comes back with the sale; `landingUrl` is
   * the page they arrive at; `programmeLink` is what the programmes' file has as the programme's own link.
   */
  buildLink(link: {
    networkProgrammeId: string;
    programmeLink?: string | null;
    landingUrl: string;
    reference: string;
  }): string;

  /** The origins that its links lead to, such as `https://www.awin1.com`: a page may ask these before a click whether they can be reached. */
  readonly linkOrigins: readonly string[];

  /** Returns which transaction a push is about. Never throws: an unreadable push is kept raw for an operator. */
  readPush(push: RawPush): PushReading;

  /** The passes that together find every new, changed and corrected transaction. */
  readonly passes: readonly ReportPass[];

  /**
   * Reads all transactions whose date of that kind lies in the window, oldest first, page by page: a page is handed on when it has arrived whole.
   * Splits windows that are longer than the network allows. Throws NetworkUnavailableError at the page that fails; the pages before it stand.
   */
  fetchTransactions(window: { pass: ReportPass; from: Date; to: Date }): AsyncIterable<ReportPage>;

  /**
   * Returns the transactions with these ids in their current state. Unknown ids are missing from the answer. A network that corrects by further rows is
   * asked by the ids of rows, except about pushes.
   */
  fetchTransactionsById(ids: readonly string[]): Promise<ReportAnswer>;

  /**
   * Splits ids into those that one request of fetchTransactionsById asks for, so that each answer is stored as it comes, one without an answer
   * holds up no other, and polling stops before the limit of calls.
   * Absent where a request asks for a hundred.
   */
  readonly splitIds?: (ids: readonly string[]) => string[][];

  /**
   * Returns the transactions of a report that an operator downloaded: the answer of the network's API as JSON, or CSV whose columns are the fields of
   * a row (report-file.ts). Asks nobody and never throws. `observedAt` is when the file was downloaded.
   */
  readReportFile(text: string, observedAt: Date): ReportFileReading;

  /** Files claims; absent where the network has no API for them. */
  readonly claims?: ClaimFiler;

  /** Returns how many calls the network's limit allows now. Confirming pushes takes precedence over polling. */
  callsLeft(): number;
}

/** By date of sale, of approval or refusal, or of a change; `update` reads a network's feed of changes. */
export type ReportPass = "transaction" | "validation" | "amendment" | "update";

/** A push as it arrived: the body of a POST, or the query string of a GET. */
export interface RawPush {
  contentType: string;
  body: Uint8Array;
}

export type PushReading =
  /** The id as a push names it: fetchTransactionsById finds the transaction by it, and returns it under the same id. */
  { outcome: "read"; networkTransactionId: string } | { outcome: "unreadable"; problem: string };

export interface ReportAnswer {
  transactions: ReportedTransaction[];
  /** One sentence for each row that could not be read; such rows do not hold up the others. */
  unreadable: string[];
}

/** What a report's file holds, or what is wrong with it in words that say what to do. */
export type ReportFileReading = { outcome: "read"; answer: ReportAnswer } | { outcome: "unreadable"; problem: string };

/** One page of a report. */
export interface ReportPage extends ReportAnswer {
  /** The date up to which the window is read with this page; null within a window. A pass that fails goes on from here. */
  coveredUntil: Date | null;
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
