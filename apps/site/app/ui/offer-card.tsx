import type { OfferCard as OfferCardView, OfferKind } from "@farthing/core/catalogue/catalogue-view.ts";
import { endsSoon } from "./british-dates.ts";
import { RetailerMark } from "./retailer-mark.tsx";

const kindWords: Record<OfferKind, string> = {
  cashback: "Cashback",
  code: "Code",
  deal: "Deal",
  in_store: "In store",
  gift_card: "Gift card",
  app_exclusive: "In the app",
};

/** The address of an offer's page; the id decides, the slug is for people (product.md O1). */
export function offerPath({ slug, publicId }: { slug: string; publicId: string }): string {
  return `/offers/${slug}?offer=${publicId}`;
}

/** One offer in a list: the whole card is one link. On the retailer's own page its mark and name are not said again. */
export function OfferCard({
  offer,
  now,
  isRetailerKnown = false,
}: {
  offer: OfferCardView;
  now: Date;
  isRetailerKnown?: boolean;
}) {
  const ends = endsSoon(offer.endsAt, now);
  return (
    <li className="offer-card">
      {!isRetailerKnown && (
        <div className="offer-card-top">
          <RetailerMark slug={offer.retailer.slug} size={44} />
          <p className="offer-card-retailer">{offer.retailer.name}</p>
        </div>
      )}
      <h3 className="offer-card-headline display">
        <a href={offerPath(offer)}>
          {offer.headline}
          <span className="visually-hidden">
            : {offer.title}
            {isRetailerKnown ? "" : `, ${offer.retailer.name}`}
          </span>
        </a>
      </h3>
      {offer.title !== offer.headline && (
        <p className="offer-card-title" aria-hidden="true">
          {offer.title}
        </p>
      )}
      {offer.termsLine && <p className="offer-card-terms">{offer.termsLine}</p>}
      <p className="offer-card-foot">
        <span className="tag">{kindWords[offer.kind]}</span>
        {offer.adultsOnly && <span className="tag is-warn">18+</span>}
        {ends && <span className="tag is-warn">{ends}</span>}
      </p>
    </li>
  );
}

/** Offers side by side, as many as fit. `isRow`: one row to push along on a phone, where a column of them would hide what comes below. */
export function OfferGrid({
  offers,
  now,
  isRetailerKnown = false,
  isRow = false,
}: {
  offers: OfferCardView[];
  now: Date;
  isRetailerKnown?: boolean;
  isRow?: boolean;
}) {
  return (
    <ul className={isRow ? "offer-grid is-row" : "offer-grid"} role="list">
      {offers.map((offer) => (
        <OfferCard key={offer.publicId} offer={offer} now={now} isRetailerKnown={isRetailerKnown} />
      ))}
    </ul>
  );
}
