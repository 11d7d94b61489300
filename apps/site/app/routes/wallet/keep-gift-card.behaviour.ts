import { loadModule } from "@farthing/ui/loading/lazy-module.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { lazyChunks } from "../../lazy-chunks.ts";
import { KEPT_GIFT_CARDS_MARK } from "./kept-gift-cards-mark.ts";
import type { ShownCard } from "./shown-card.ts";

const load = () => loadModule(lazyChunks.keptGiftCards, () => import("./kept-gift-cards.ts"));

/** "Keep on this device" beside a shown card. */
export const keepGiftCard: Behaviour = {
  selector: "button[data-keeps-gift-card]",
  start(button) {
    if (!(button instanceof HTMLButtonElement)) return;
    button.disabled = false;
    button.addEventListener("click", () => void keep(button));
  },
};

async function keep(button: HTMLButtonElement): Promise<void> {
  const status = button.nextElementSibling;
  try {
    const card = JSON.parse(button.dataset["keepsGiftCard"] ?? "") as ShownCard;
    await (await load()).keepGiftCard(card);
    button.textContent = "Kept on this device";
    button.disabled = true;
    if (status) status.textContent = "The card opens without a connection now. Logging out removes it.";
  } catch {
    if (!status) return;
    status.className = "copy-status";
    status.textContent = "Your browser does not let us keep the card. Print it, or write the code down.";
  }
}

/**
 * On the page of the wallet: removes kept cards that are not in it, because they were given away, refunded, or belong to somebody
 * else who was signed in here.
 */
export const walletOfThisDevice: Behaviour = {
  selector: "[data-wallet]",
  start({ dataset }) {
    try {
      if (localStorage.getItem(KEPT_GIFT_CARDS_MARK) === null) return;
    } catch {
      return; // storage is blocked, so no card is stored either
    }
    load()
      .then(({ forgetGiftCards }) => forgetGiftCards({ except: (dataset["wallet"] ?? "").split(" ").filter(Boolean) }))
      .catch((error: unknown) => console.error("Cards kept here could not be removed", error));
  },
};
