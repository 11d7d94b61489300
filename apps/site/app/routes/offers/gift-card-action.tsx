import { LoadingLink } from "../../ui/forms/loading-button.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { DealLink } from "./deal-link.tsx";
import type { OfferData } from "./offer-data.ts";

/**
 * A gift card of the retailer (O4): from our own gift-card page or, where the brand has none, from the retailer itself.
 */
export function GiftCardAction({ data, dealPath }: { data: OfferData; dealPath: string | null }) {
  const { offer, sellsGiftCards, brandName } = data;
  if (sellsGiftCards) {
    return (
      <>
        <LoadingLink
          href={pagePath("/gift-cards", { retailer: offer.retailer.slug })}
          className="is-large is-wide"
          describedBy="deal-hint"
          marks={{ "data-tracking": "extra_offer_button_click" }}
        >
          Choose a gift card
        </LoadingLink>
        <p id="deal-hint" className="deal-hint">
          You pay here, and the card comes by e-mail
        </p>
      </>
    );
  }
  return (
    <>
      <p className="deal-message">
        {brandName} does not sell gift cards itself. {offer.retailer.name} does, on its own site.
      </p>
      {dealPath && <DealLink data={data} href={dealPath} />}
    </>
  );
}
