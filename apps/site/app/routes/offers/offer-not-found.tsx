import type { OfferCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { PageHead } from "../../ui/page-head/page-head.tsx";

/** Shown where no offer of this brand has the id, with ways on. */
export function OfferNotFound({ popular, now }: { popular: OfferCard[]; now: Date }) {
  return (
    <div className="wrap page">
      <PageHead title="Offer not found" isPrivate />
      <EmptyState title="We don’t have that offer" isPage>
        <p>The link may be cut short or out of date. Search for the shop above, or try one of these.</p>
        <p className="button-row">
          <a className="button" href="/retailers">
            All retailers, A to Z
          </a>
          <a className="button is-quiet" href="/">
            Go to the front page
          </a>
        </p>
      </EmptyState>
      {popular.length > 0 && (
        <section aria-labelledby="popular">
          <h2 id="popular" className="display section-title">
            Popular now
          </h2>
          <OfferGrid offers={popular} now={now} />
        </section>
      )}
    </div>
  );
}
