import type { Catalogue } from "../catalogue/catalogue.ts";
import type { State } from "../state/state.ts";
import type { DeliveryQueue } from "../deliveries/delivery-queue.ts";

/** The pretended affiliate network: what its parts share. */
export interface Network {
  state: State;
  catalogue: Catalogue;
  pushes: DeliveryQueue;
  /** The one publisher account this network knows. */
  publisherId: number;
  /** What that publisher's report calls must bring as Bearer token. */
  apiToken: string;
  /** Twenty report calls a minute, as the real one; off unless asked for. */
  rateLimited: boolean;
  /** Milliseconds since 1970. */
  now: () => number;
}
