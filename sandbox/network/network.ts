import type { Catalogue, Programme } from "../catalogue/catalogue.ts";
import type { DeliveryQueue } from "../deliveries/delivery-queue.ts";
import type { State } from "../state/state.ts";
import type { TransactionRow } from "./transaction-row.ts";

/** The state that the parts of one affiliate network share. All networks of the sandbox share state and catalogue: one engine plays them. */
export interface Network {
  slug: string;
  name: string;
  state: State;
  catalogue: Catalogue;
  pushes: DeliveryQueue;
  /** The network's only publisher account, as the network writes its id. */
  publisherId: string;
  /** What the publisher's calls must send, by the name that the network's protocol gives it; `token` is the bearer token of most. */
  credentials: Readonly<Record<string, string>>;
  /** Whether report calls are limited as the network documents. Default: off. */
  rateLimited: boolean;
  /** The network's own clock: milliseconds since 1970. */
  now: () => number;
}

/** The networks of the sandbox. */
export interface Networks {
  all: readonly Network[];
  state: State;
  catalogue: Catalogue;
  /** The club's and the shops' clock: milliseconds since 1970. */
  now: () => number;
  /** @throws Error for a slug without a network */
  get(slug: string): Network;
  find(slug: string): Network | undefined;
  /** Queues the push of a transaction at its network, if the network sends pushes. Returns whether it does. */
  push(kind: string, transaction: { id: number; network: string }): boolean;
  /** Returns the text of a transaction's push in its network's format; null where the network sends none. The row need not be stored: forgers use this. */
  pushText(row: TransactionRow): string | null;
}

/** Returns whether sales are tracked. A closed or suspended programme still has a shop, but the network pays nothing for its sales. */
export function isOpen(programme: Programme): boolean {
  return !programme.status || /^(active|joined)$/i.test(programme.status);
}
