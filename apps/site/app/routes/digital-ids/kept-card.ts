import { deviceStore } from "../../device-store.ts";
import { KEPT_CARD_MARK } from "./kept-card-mark.ts";

/** The text of the card as it is stored. Dates are text. */
export interface ShownCard {
  name: string;
  memberNumber: string;
  memberType: string | null;
  validUntil: string | null;
  memberSince: string;
}

/** Everything that a device needs to show a card offline. */
export interface KeptCard {
  card: ShownCard;
  handle: string;
  /** Signs codes. The browser never reveals its bytes, not even to our own script. */
  key: CryptoKey;
  /** How far the server's clock is ahead of this device's, in ms. */
  clockOffset: number;
}

const cards = deviceStore("farthing-digital-id");
const ONLY_KEY = "card";

/** Stores the card of the signed-in member, in place of any other. */
export async function keepCard(card: KeptCard): Promise<void> {
  await cards.run("readwrite", (store) => store.put(card, ONLY_KEY));
  localStorage.setItem(KEPT_CARD_MARK, "1");
}

/** Returns the card on this device, or null. */
export async function findKeptCard(): Promise<KeptCard | null> {
  return ((await cards.run("readonly", (store) => store.get(ONLY_KEY))) as KeptCard | undefined) ?? null;
}

/** Removes every trace of a card from the device. */
export async function forgetCard(): Promise<void> {
  await cards.run("readwrite", (store) => store.clear());
  localStorage.removeItem(KEPT_CARD_MARK);
}
