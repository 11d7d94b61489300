import type { OfferPage } from "@farthing/core/catalogue/catalogue-view.ts";
import { paysCashback } from "@farthing/core/catalogue/rates.ts";
import { confirmsInWords, tracksInWords } from "../../ui/text/arrival-words.ts";

/**
 * Returns what to do, in three lines (O7). The last one says what happens with the cashback. `hasCode`: the page shows the code, because the
 * member has revealed it.
 */
export function howToUse(
  offer: Pick<OfferPage, "kind" | "code" | "rates" | "tracking"> & { retailer: { name: string } },
  { hasCode = false }: { hasCode?: boolean } = {},
): string[] {
  const { retailer, rates, tracking } = offer;
  const money = paysCashback(rates)
    ? `Your cashback shows in your account ${tracksInWords(tracking)} and is confirmed ${confirmsInWords(tracking)}.`
    : "That’s it: you save there and then. There is no cashback on this one.";
  // A deal can have a code, too: the page has its button then.
  const kind = offer.code && (offer.kind === "deal" || offer.kind === "cashback") ? "code" : offer.kind;
  switch (kind) {
    case "code":
      if (hasCode)
        return [
          `Your code is above: copy it. Is ${retailer.name} not open yet? Press “Get deal”.`,
          "Fill your basket, and put the code in before you pay.",
          money,
        ];
      if (offer.code && !offer.code.available)
        return [
          `There is no code now. The link to ${retailer.name} works without one.`,
          "Buy as you always do, in one go.",
          money,
        ];
      return [
        `Press “Reveal code”. ${retailer.name} opens in a new tab, and the code shows here.`,
        "Copy the code, fill your basket, and put the code in before you pay.",
        money,
      ];
    case "in_store":
      return [
        `Go to ${retailer.name} and choose what you like.`,
        "Before you pay, say that you are a member and show your digital ID.",
        "The till takes the saving off there and then.",
      ];
    case "app_exclusive":
      return [
        "Get our app on your phone and log in with the same e-mail.",
        `Open this offer there and follow it to ${retailer.name}.`,
        "Buy in the app: what you buy from this site does not count for this one.",
      ];
    case "gift_card":
      return [
        "Press “Get deal” to choose a gift card.",
        "Pay for it; the card comes by e-mail.",
        "Use it in the shop or online, like money.",
      ];
    case "cashback":
    case "deal":
      return [
        `Press “Get deal”. ${retailer.name} opens in a new tab; let it set its cookies, that is how it knows you came from us.`,
        "Buy in that tab, in one go.",
        money,
      ];
  }
}
