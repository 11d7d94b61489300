import { defineFarthingGiftCards, type FarthingGiftCardsElement } from "./farthing-gift-cards-element.ts";

export { defineEnvironments } from "./environments.ts";
export { FarthingGiftCardsElement } from "./farthing-gift-cards-element.ts";
export type { FarthingEvent } from "./element-types.ts";
export type { GiftCardsProperties } from "./gift-cards.ts";
export type * from "./types.ts";

declare global {
  interface HTMLElementTagNameMap {
    "farthing-gift-cards": FarthingGiftCardsElement;
  }
}

defineFarthingGiftCards();
