import type { DeliveryQueue } from "../deliveries/delivery-queue.ts";
import type { State } from "../state/state.ts";
import type { CardStore } from "./card-store.ts";

/** The pretended card provider: what its parts share. */
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

/** What a request brings along that events and answers name. */
export interface RequestNote {
  id: string;
  idempotencyKey: string | null;
  /** Where the provider stands, as the caller addressed it: "http://localhost:3001". */
  origin: string;
}

export const apiVersion = "2026-10-28.endive";

/** Whole seconds, as the provider counts time. */
export function seconds(cards: Cards): number {
  return Math.floor(cards.now() / 1000);
}
