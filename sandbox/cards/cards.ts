import type { DeliveryQueue } from "../deliveries/delivery-queue.ts";
import type { State } from "../state/state.ts";
import type { CardStore } from "./card-store.ts";

/** The state that the parts of the card provider share. */
export interface Cards {
  state: State;
  store: CardStore;
  webhooks: DeliveryQueue;
  keys: CardKeys;
  now: () => number;
}

export interface CardKeys {
  secret: string;
  publishable: string;
}

/** The data of a request that events and responses refer to. */
export interface RequestNote {
  id: string;
  idempotencyKey: string | null;
  /** The provider's address as the caller used it: "http://localhost:3001". */
  origin: string;
}

export const API_VERSION = "2026-10-28.endive";

/** Returns Unix time in whole seconds, as the provider uses it. */
export function seconds(cards: Cards): number {
  return Math.floor(cards.now() / 1000);
}
