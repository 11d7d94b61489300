import { deviceStore } from "../../device-store.ts";
import { KEPT_GIFT_CARDS_MARK } from "./kept-gift-cards-mark.ts";
import type { ShownCard } from "./shown-card.ts";

const cards = deviceStore("farthing-gift-cards");

/** Stores a card on this device. */
export async function keepGiftCard(card: ShownCard): Promise<void> {
  await cards.run("readwrite", (store) => store.put(card, card.publicId));
  localStorage.setItem(KEPT_GIFT_CARDS_MARK, "1");
}

/** Returns the cards on this device. */
export async function findKeptGiftCards(): Promise<ShownCard[]> {
  return await cards.run<ShownCard[]>("readonly", (store) => store.getAll());
}

/** Removes every card from this device but those with a public id in `except`. */
export async function forgetGiftCards({ except = [] }: { except?: readonly string[] } = {}): Promise<void> {
  for (const { publicId } of await findKeptGiftCards())
    if (!except.includes(publicId)) await cards.run("readwrite", (store) => store.delete(publicId));
  if (except.length === 0) localStorage.removeItem(KEPT_GIFT_CARDS_MARK);
}
