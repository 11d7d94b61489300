import type { RetailerStatus } from "@farthing/core/catalogue/catalogue-view.ts";
import { namedEnd } from "@farthing/core/catalogue/london-time.ts";
import { href } from "react-router";
import { longDate } from "../../ui/text/british-dates.ts";
import type { OfferData } from "./offer-data.ts";

/** Replaces the button of an offer that is over: says why, and leads on. */
export function OfferOver({ offer }: { offer: OfferData["offer"] }) {
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
          <p>{whyWithdrawn(retailer.status, retailer.name)}</p>
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
