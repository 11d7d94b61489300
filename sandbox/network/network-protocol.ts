import type { Hono } from "hono";
import type { DeliveryAnswer } from "../deliveries/delivery-queue.ts";
import type { Network } from "./network.ts";
import type { TransactionRow } from "./transactions.ts";

/**
 * How one vendor speaks: its links, its report and feeds, its pushes, all from the engine's state. A protocol is one folder here and one line in
 * all-protocols.ts.
 */
export interface NetworkProtocol {
  /** The slug of the adapter; everything is mounted at /<slug>. */
  slug: string;
  name: string;
  /** The account of the publisher, from the variables of the adapter, with the adapter's defaults for development. */
  account(env: Readonly<Record<string, string | undefined>>): {
    publisherId: string;
    credentials: Record<string, string>;
    /** The last part of the address that it pushes to; null: it sends no pushes. */
    pushSecret: string | null;
  };
  /** Returns whether a path beneath /<slug> is a link that members follow. Faults of the API, but not an outage, leave links alone. */
  isLink(path: string): boolean;
  /** Adds links, report and feeds to the app that is mounted at /<slug>. */
  routes(app: Hono, network: Network): void;
  /** Returns the text of a transaction's push, in the vendor's format; null for a network that sends none. */
  pushText: ((network: Network, row: TransactionRow) => string) | null;
  /** Sends a push's text to the publisher's address, in the vendor's way. */
  sendPush(url: string | undefined, text: string): Promise<DeliveryAnswer>;
}
