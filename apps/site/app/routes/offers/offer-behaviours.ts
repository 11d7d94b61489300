import { copyButton } from "@farthing/ui/buttons/copy-button.behaviour.ts";
import type { Behaviour } from "../../behaviours/behaviour.ts";
import { preFlight } from "../clicks/pre-flight.behaviour.ts";
import { giftCardsPage } from "../gift-cards/gift-cards-page.behaviour.ts";
import { framePage } from "../partners/frame-page.behaviour.ts";
import { portalPage } from "../portal/portal.behaviour.ts";
import { shareLink } from "../referrals/share-link.behaviour.ts";
import { keepGiftCard, walletOfThisDevice } from "../wallet/keep-gift-card.behaviour.ts";
import { appDialog } from "./app-dialog.behaviour.ts";
import { cleanAddress } from "./clean-address.behaviour.ts";
import { didItWork } from "./did-it-work.behaviour.ts";
import { newCode } from "./new-code.behaviour.ts";
import { offerTimeLeft } from "./time-left.behaviour.ts";
import { variantChoice } from "./variant-choice.behaviour.ts";
import { favouriteButtons } from "../../ui/favourites/favourite-button.behaviour.ts";
import { arrivedForms, halfFilledForms } from "../../ui/forms/half-filled.behaviour.ts";
import { profileNavigation } from "../members/profile-navigation.behaviour.ts";

/** What only offers, retailers, hearts, the account, forms that the tab keeps, buttons that copy, the wallet, the pages of partners and gift cards, and frames need: the others do without its bytes. */
export const offerBehaviours: readonly Behaviour[] = [
  favouriteButtons,
  halfFilledForms,
  arrivedForms,
  profileNavigation,
  cleanAddress,
  newCode,
  copyButton,
  shareLink,
  variantChoice,
  didItWork,
  appDialog,
  offerTimeLeft,
  preFlight,
  framePage,
  portalPage,
  giftCardsPage,
  keepGiftCard,
  walletOfThisDevice,
];
