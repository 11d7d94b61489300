import type { OfferPage } from "@farthing/core/catalogue/catalogue-view.ts";
import { paysCashback } from "@farthing/core/catalogue/rates.ts";
import { confirmsInWords, tracksInWords } from "../../ui/text/arrival-words.ts";

/** What the page of an offer has to press, besides what the offer says itself. */
interface Actions {
  /** Whether the page shows the code, because the member has revealed it. */
  hasCode: boolean;
  /** Whether the brand has a page that sells gift cards. */
  sellsGiftCards: boolean;
  /** Whether the brand has an app for the offers that only an app has. */
  hasApp: boolean;
}

/**
 * Returns what to do, in three lines that name the buttons of the page (O7); none where there is nothing to do. The last
 * one says what happens with the cashback.
 */
export function howToUse(
  offer: Pick<OfferPage, "kind" | "code" | "dealLink" | "rates" | "tracking"> & { retailer: { name: string } },
  { hasCode, sellsGiftCards, hasApp }: Actions,
): string[] {
  const { retailer, rates, tracking, dealLink } = offer;
  const money = paysCashback(rates)
    ? `Your cashback shows in your account ${tracksInWords(tracking)} and is confirmed ${confirmsInWords(tracking)}.`
    : "That’s it: you save there and then. There is no cashback on this one.";
  const opensShop =
    dealLink === "tracked"
      ? `Press “Get deal”. ${retailer.name} opens in a new tab; let it set its cookies, that is how it knows you came from us.`
      : `Press “Get deal”. ${retailer.name} opens in a new tab.`;
  // Others can have a code, too: the page has its button then.
  const kind = offer.code && ["deal", "cashback", "gift_card"].includes(offer.kind) ? "code" : offer.kind;
  switch (kind) {
    case "code":
      if (dealLink === null)
        return hasCode || offer.code?.available
          ? [
              hasCode ? "Your code is above: copy it." : "Press “Reveal code”. The code shows here.",
              `Go to ${retailer.name} and put the code in before you pay.`,
              money,
            ]
          : [];
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
        offer.code && (hasCode || offer.code.available)
          ? `Before you pay, say that you are a member, show your digital ID and give the code: ${hasCode ? "it is above" : "press “Reveal code” for it"}.`
          : "Before you pay, say that you are a member and show your digital ID.",
        "The till takes the saving off there and then.",
      ];
    case "app_exclusive":
      if (!hasApp) return [];
      return [
        "Get our app on your phone and log in with the same e-mail.",
        `Open this offer there and follow it to ${retailer.name}.`,
        "Buy in the app: what you buy from this site does not count for this one.",
      ];
    case "gift_card":
      if (!sellsGiftCards && dealLink === null) return [];
      if (!sellsGiftCards) return [opensShop, "Buy the gift card in that tab, in one go.", money];
      return [
        "Press “Choose a gift card” and take the one you like.",
        "Pay for it; the card comes by e-mail.",
        "Use it in the shop or online, like money.",
      ];
    case "cashback":
    case "deal":
      if (dealLink === null) return [];
      return [opensShop, "Buy in that tab, in one go.", money];
  }
}
