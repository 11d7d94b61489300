import type { OfferCard as OfferCardView } from "@farthing/core/catalogue/catalogue-view.ts";
import { endsSoon } from "../text/british-dates.ts";
import { FavouriteButton } from "../favourites/favourite-button.tsx";
import { kindWords } from "./offer-kinds.ts";
import { RetailerMark } from "./retailer-mark.tsx";

/** Returns the address of an offer's page. The id identifies the offer; the slug is for people (O1). */
export function offerPath({ slug, publicId }: { slug: string; publicId: string }): string {
  return `/offers/${slug}?offer=${publicId}`;
}

/** What a card says about the member, or about who may use the offer. */
export type OfferCardState = "used" | "members-only";

const stateWords: Record<OfferCardState, string> = { used: "Used", "members-only": "Members only" };

/**
 * One offer in a list. The whole card is one link, with the benefit as its largest text; cashback that comes on top of
 * it is in the foot (O7). The favourite button lies above the link. With `isRetailerKnown`, on the retailer's own page, the retailer's mark and name are left out.
 */
export function OfferCard({
  offer,
  now,
  isRetailerKnown = false,
  state,
}: {
  offer: OfferCardView;
  now: Date;
  isRetailerKnown?: boolean;
  state?: OfferCardState | undefined;
}) {
  const ends = endsSoon(offer.endsAt, now);
  return (
    <div className="offer-card" data-kind={offer.kind}>
      {!isRetailerKnown && (
        <div className="offer-card-top">
          <RetailerMark slug={offer.retailer.slug} size={44} />
          <p className="offer-card-retailer">{offer.retailer.name}</p>
        </div>
      )}
      <h3 className="offer-card-headline display">
        <a
          href={offerPath(offer)}
          data-tracking="offer_listing_clicks"
          data-tracking-offer-id={offer.publicId}
          data-tracking-retailer={offer.retailer.name}
        >
          <span className="offer-card-sticker">{offer.headline}</span>
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
        {offer.plusCashback && <span className="tag is-good">{offer.plusCashback}</span>}
        {offer.adultsOnly && <span className="tag is-warn">18+</span>}
        {ends && <span className="tag is-warn">{ends}</span>}
        {state && <span className={state === "used" ? "tag is-good" : "tag"}>{stateWords[state]}</span>}
      </p>
      <FavouriteButton
        kind="offer"
        id={offer.publicId}
        name={`${offer.headline || offer.title}, ${offer.retailer.name}`}
      />
    </div>
  );
}

export interface OfferListProps {
  offers: OfferCardView[];
  now: Date;
  isRetailerKnown?: boolean;
  stateOf?: ((offer: OfferCardView) => OfferCardState | undefined) | undefined;
}

/**
 * Offers side by side, as many as fit. With `isRow` a phone shows one row that scrolls sideways instead of a
 * long column.
 */
export function OfferGrid({ isRow = false, ...list }: OfferListProps & { isRow?: boolean }) {
  return (
    <ul className={isRow ? "offer-grid is-row" : "offer-grid"} role="list">
      {list.offers.map((offer) => (
        <li key={offer.publicId}>{offerCardOf(offer, list)}</li>
      ))}
    </ul>
  );
}

export function offerCardOf(offer: OfferCardView, { now, isRetailerKnown = false, stateOf }: OfferListProps) {
  return (
    <OfferCard
      key={offer.publicId}
      offer={offer}
      now={now}
      isRetailerKnown={isRetailerKnown}
      state={stateOf?.(offer)}
    />
  );
}
