import type { Catalogue } from "../catalogue/catalogue.ts";
import type { State } from "../state/state.ts";
import type { DeliveryQueue } from "../deliveries/delivery-queue.ts";

/** The state that the parts of the affiliate network share. */
export interface Network {
  state: State;
  catalogue: Catalogue;
  pushes: DeliveryQueue;
  /** The network's only publisher account. */
  publisherId: number;
  /** The bearer token that the publisher's report calls must send. */
  apiToken: string;
  /** Whether report calls are limited to twenty a minute, as at Awin. Default: off. */
  rateLimited: boolean;
  /** Returns milliseconds since 1970. */
  now: () => number;
}
