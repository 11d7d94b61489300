import { forgetGiftCards } from "../wallet/kept-gift-cards.ts";
import { forgetCard } from "./kept-card.ts";

/** Removes the digital ID and all gift cards from this device. One that fails does not keep the other. */
export async function forgetKept(): Promise<void> {
  const results = await Promise.allSettled([forgetCard(), forgetGiftCards()]);
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}
