import type { OfferCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { endsWhen } from "../../ui/text/british-dates.ts";
import { offerPath } from "../../ui/cards/offer-card.tsx";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";

/** A compact list of the offers that end soon. */
export function EndingSoon({ offers, now }: { offers: OfferCard[]; now: Date }) {
  return (
    <section aria-labelledby="ending">
      <h2 id="ending" className="display section-title">
        Ending soon
      </h2>
      <ul className="ending-soon" role="list">
        {offers.map((offer) => (
          <li key={offer.publicId}>
            <RetailerMark slug={offer.retailer.slug} size={44} />
            <p>
              <a href={offerPath(offer)}>
                {offer.headline}
                <span className="visually-hidden">: {offer.title}</span>
              </a>
              {offer.title !== offer.headline && (
                <span className="ending-soon-title" aria-hidden="true">
                  {offer.title}
                </span>
              )}
              <small className="soft">
                {offer.retailer.name}
                {offer.plusCashback && <>, {offer.plusCashback}</>}
              </small>
              {offer.endsAt && <small className="tag is-warn ending-soon-when">{endsWhen(offer.endsAt, now)}</small>}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
