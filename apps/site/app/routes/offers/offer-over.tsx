import type { RetailerStatus } from "@farthing/core/catalogue/catalogue-view.ts";
import { namedEnd } from "@farthing/core/catalogue/london-time.ts";
import { href } from "react-router";
import { longDate } from "../../ui/text/british-dates.ts";
import type { OfferData } from "./offer-data.ts";

/**
 * Replaces the button of an offer that is over, or that the brand's members can't use: says why, and leads on.
 * @param appOf the name of a brand without the app that the offer is for
 */
export function OfferOver({ offer, appOf }: { offer: OfferData["offer"]; appOf?: string }) {
  const { retailer } = offer;
  const isOpen = retailer.status === "active";
  return (
    <div className="offer-over">
      {offer.state === "expired" ? (
        <p className="offer-over-title">
          {offer.endsAt ? `This offer ended on ${longDate(namedEnd(offer.endsAt))}` : "This offer has ended"}
        </p>
      ) : (
        <>
          <p className="offer-over-title">This offer is not available</p>
          <p>
            {appOf
              ? `It is for an app only, and ${appOf} does not take part in app offers.`
              : whyWithdrawn(retailer.status, retailer.name)}
          </p>
        </>
      )}
      <p>{offer.similar.length > 0 ? "There are others like it below." : "Search for something else above."}</p>
      {isOpen && (
        <a className="button is-wide" href={href("/retailers/:slug", { slug: retailer.slug })}>
          What {retailer.name} has on now
        </a>
      )}
    </div>
  );
}

function whyWithdrawn(status: RetailerStatus, name: string): string {
  switch (status) {
    case "active":
      return `${name} has taken it back.`;
    case "paused":
      return `${name} has paused its offers for now. This one may come back.`;
    case "in_administration":
      return `${name} is in administration, so we have stopped linking to it.`;
    case "closed":
      return `${name} has closed.`;
  }
}
