import { paysCashback } from "@farthing/core/catalogue/rates.ts";
import { LoadingLink } from "../../ui/forms/loading-button.tsx";
import { preFlightPath } from "../clicks/pre-flight-path.ts";
import type { OfferData } from "./offer-data.ts";
import { REDEEMS, REGISTERS } from "./redeems.ts";

/** The link to the retailer. What blocks the tracking of a purchase matters only where cashback is paid. */
export function DealLink({
  data: { offer, isSignedIn },
  href,
  isQuiet = false,
}: {
  data: OfferData;
  href: string;
  isQuiet?: boolean;
}) {
  return (
    <>
      <LoadingLink
        href={href}
        opensNewTab
        className={isQuiet ? "is-wide is-quiet" : "is-large is-wide"}
        describedBy="deal-hint"
        checkedBy={isSignedIn && paysCashback(offer.rates) ? preFlightPath(href) : undefined}
        marks={isSignedIn ? { ...REDEEMS, "data-tracking": "from_website" } : REGISTERS}
      >
        Get deal
      </LoadingLink>
      <p id="deal-hint" className="deal-hint">
        {isSignedIn
          ? `Opens ${offer.retailer.name} in a new tab`
          : paysCashback(offer.rates)
            ? "You log in first, so that we know whose it is"
            : "Deals are for members: you log in first"}
      </p>
    </>
  );
}
