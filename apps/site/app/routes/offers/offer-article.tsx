import { bestRate, lowestRate } from "@farthing/core/catalogue/rates.ts";
import { summariseRates } from "@farthing/core/catalogue/rate-wording.ts";
import { ArrivalSteps } from "../../ui/arrival-steps.tsx";
import { longDate } from "../../ui/british-dates.ts";
import { Notice } from "../../ui/notice.tsx";
import { OfferGrid } from "../../ui/offer-card.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { pagePath } from "../../ui/page-path.ts";
import { Paragraphs } from "../../ui/paragraphs.tsx";
import { RatesTable } from "../../ui/rates-table.tsx";
import { RetailerMark } from "../../ui/retailer-mark.tsx";
import { DealPanel } from "./deal-panel.tsx";
import { howToUse } from "./how-to-use.ts";
import type { OfferData } from "./offer-page.tsx";

/** The offer: what you get and the one button first, then everything a member should know before the click (product.md O7). */
export function OfferArticle({ data }: { data: OfferData }) {
  const { offer, now } = data;
  const { retailer, rates, tracking, similar } = offer;
  const category = offer.categories[0];
  const cashback = summariseRates({ bestRate: bestRate(rates), lowestRate: lowestRate(rates) });
  const isLive = offer.state === "live";
  return (
    <article className="wrap page offer">
      <PageHead
        title={`${offer.headline || offer.title} at ${retailer.name}`}
        description={[offer.title, offer.description].filter(Boolean).join(". ")}
        path={pagePath(`/offers/${offer.slug}`, { offer: offer.publicId })}
        isPrivate={!isLive}
      />
      <nav aria-label="Where you are">
        <ol className="crumbs" role="list">
          {category && (
            <li>
              <a href={`/categories/${category.slug}`}>{category.name}</a>
            </li>
          )}
          <li>
            <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a>
          </li>
        </ol>
      </nav>
      <div className="offer-top">
        <header className="offer-what">
          <p className="offer-retailer">
            <RetailerMark slug={retailer.slug} size={56} isOwn />
            <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a>
          </p>
          <h1>
            <span className="offer-headline display">{offer.headline || offer.title}</span>
            {offer.headline && <span className="offer-title">{offer.title}</span>}
          </h1>
          {offer.kind !== "cashback" && cashback && <p className="tag is-good offer-plus">plus {lowerFirst(cashback)}</p>}
          {offer.adultsOnly && <p className="tag is-warn">For over-18s only</p>}
        </header>
        <DealPanel data={data} />
      </div>
      <StateNotice data={data} />
      {offer.description && (
        <section className="prose offer-description" aria-label="About this offer">
          <Paragraphs text={offer.description} />
        </section>
      )}
      {isLive && (
        <section aria-labelledby="how">
          <h2 id="how" className="display section-title section-head">
            How it works
          </h2>
          <ol className="offer-how" role="list">
            {howToUse(offer).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ol>
        </section>
      )}
      {rates.length > 0 && (
        <section aria-labelledby="rates">
          <h2 id="rates" className="display section-title section-head">
            What you earn
          </h2>
          <RatesTable rates={rates} now={now} />
          <h3 className="offer-subtitle display">When the money arrives</h3>
          <ArrivalSteps tracking={tracking} />
          {!tracking.acceptsClaims && (
            <p className="soft offer-claims">{retailer.name} does not accept claims for purchases that fail to show up, so follow our link right before you pay.</p>
          )}
        </section>
      )}
      {(offer.terms || offer.exclusions || offer.endsAt) && (
        <section aria-labelledby="terms" className="offer-terms">
          <h2 id="terms" className="display section-title section-head">
            Before you buy
          </h2>
          <dl>
            {offer.exclusions && (
              <div>
                <dt>Not included</dt>
                <dd className="prose">
                  <Paragraphs text={offer.exclusions} />
                </dd>
              </div>
            )}
            {offer.terms && (
              <div>
                <dt>Terms</dt>
                <dd className="prose">
                  <Paragraphs text={offer.terms} />
                </dd>
              </div>
            )}
            <div>
              <dt>Dates</dt>
              <dd>
                From {longDate(offer.startsAt)} {offer.endsAt ? `to ${longDate(offer.endsAt)}` : "until further notice"}
              </dd>
            </div>
          </dl>
        </section>
      )}
      {similar.length > 0 && (
        <section aria-labelledby="similar">
          <h2 id="similar" className="display section-title section-head">
            {isLive ? "More like this" : "On now instead"}
          </h2>
          <OfferGrid offers={similar} now={now} />
        </section>
      )}
    </article>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

/** Why there is nothing to press, in words, with a way on. */
function StateNotice({ data: { offer } }: { data: OfferData }) {
  const { retailer, state } = offer;
  if (state === "expired") {
    return (
      <Notice tone="warn" title={offer.endsAt ? `This offer ended on ${longDate(offer.endsAt)}` : "This offer has ended"}>
        <p>
          See what <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a> has on now, or look further down.
        </p>
      </Notice>
    );
  }
  if (state === "withdrawn") {
    const why = {
      active: `${retailer.name} has taken this offer back.`,
      paused: `${retailer.name} has paused its offers for now. This one may come back.`,
      in_administration: `${retailer.name} is in administration, so we have stopped linking to it.`,
      closed: `${retailer.name} has closed.`,
    }[retailer.status];
    return (
      <Notice tone="warn" title="This offer is not available">
        <p>{why} There are others further down.</p>
      </Notice>
    );
  }
  return null;
}
