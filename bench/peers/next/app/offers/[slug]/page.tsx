import type { OfferPage } from "@farthing/core/catalogue/catalogue-view.ts";
import { findOfferPage } from "@farthing/core/catalogue/offers/queries.server.ts";
import { describeUsual, formatAmount } from "@farthing/core/catalogue/rate-wording.ts";
import { notFound } from "next/navigation";
import { FavouriteButton } from "../../../client-parts.tsx";
import { OfferGrid } from "../../../parts.tsx";
import { db, findVisit } from "../../../visit.ts";

const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" });

export default async function Page({ searchParams }: { searchParams: Promise<{ offer?: string }> }) {
  const { offer: publicId = "" } = await searchParams;
  const { brand, member, now } = await findVisit();
  const offer = await findOfferPage(db, { brandId: brand.id, now, publicId });
  if (!offer) notFound();
  const { retailer } = offer;
  const [category] = offer.categories;
  return (
    <article
      className="wrap page offer"
      data-tracking="offer_details"
      data-tracking-offer-id={offer.publicId}
      data-tracking-offer-kind={offer.kind}
      data-tracking-retailer={retailer.name}
    >
      <nav aria-label="Where you are" className="crumbs">
        <ol role="list">
          <li>
            <a href="/">Home</a>
          </li>
          {category && (
            <li>
              <a href={`/categories/${category.slug}`}>{category.name}</a>
            </li>
          )}
          <li>
            <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a>
          </li>
          <li aria-current="page">{offer.headline}</li>
        </ol>
      </nav>
      <div className="offer-top">
        <header className="offer-what">
          <p className="offer-retailer">
            <img className="retailer-mark" src={`/art/retailers/${retailer.slug}.svg`} alt="" width="56" height="56" />
            <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a>
            <FavouriteButton kind="offer" id={offer.publicId} name={`${offer.headline}, ${retailer.name}`} />
          </p>
          <h1>
            <span className="offer-headline display">{offer.headline}</span>{" "}
            <span className="offer-title">{offer.title}</span>
          </h1>
          {offer.rates[0] && (
            <p className="tag is-good offer-plus" data-until-over="">
              plus cashback: up to {formatAmount(offer.rates[0])}
            </p>
          )}
        </header>
        <DealPanel offer={offer} isSignedIn={member !== null} />
        <template id="offer-over">
          <div className="offer-over">
            <p className="offer-over-title">This offer ended on {day.format(offer.endsAt ?? now)}</p>
            <p>There are others like it below.</p>
            <a className="button is-wide" href={`/retailers/${retailer.slug}`}>
              What {retailer.name} has on now
            </a>
          </div>
        </template>
        <p role="status" className="visually-hidden" data-when-over="This offer has just ended." />
        <div className="offer-about">
          <div className="prose">
            <p>{offer.description}</p>
          </div>
          <ul className="offer-glance" role="list" data-until-over="">
            {offer.rates[0] && (
              <li>
                For example, {formatAmount(offer.rates[0])} of £50.00, on {offer.rates[0].basis} ({offer.rates[0].label}
                ).
              </li>
            )}
            <li>{offer.exclusions}</li>
          </ul>
        </div>
      </div>
      <section aria-labelledby="how">
        <h2 id="how" className="display section-title">
          How it works
        </h2>
        <ol className="offer-how" role="list">
          <li>Log in, so that we know whom to pay.</li>
          <li>Press the button: the code is shown here, and the shop opens beside it.</li>
          <li>Paste the code where the shop asks for it, and pay as usual.</li>
          <li>{`The purchase shows in your account within ${offer.tracking.tracksWithinDays.max} days.`}</li>
        </ol>
      </section>
      <section aria-labelledby="rates">
        <h2 id="rates" className="display section-title">
          What you earn
        </h2>
        <div className="rates-table" role="region" aria-label="Cashback rates" tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">What you buy</th>
                <th scope="col" className="is-amount">
                  Cashback
                </th>
                <th scope="col">For example</th>
              </tr>
            </thead>
            <tbody>
              {offer.rates.map((rate) => (
                <tr key={rate.label}>
                  <th scope="row">
                    {rate.label}
                    <small>worked out on {rate.basis}</small>
                  </th>
                  <td className="is-amount figures">
                    <b>{formatAmount(rate)}</b> {rate.boostedUntil && describeUsual(rate)}
                  </td>
                  <td>
                    {formatAmount(rate)} on £50.00
                    <small className="figures">£100.00 basket → {formatAmount(rate)}</small>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        <p className="soft rates-foreign">
          If you pay in another currency, the amount that the shop’s network reports counts, converted to pounds at the
          rate of the day you bought.
        </p>
        <h3 className="offer-subtitle display">When the money arrives</h3>
        <ol className="arrival-steps" role="list">
          {[
            ["You buy", "The shop tells its network, and the network tells us."],
            [
              "Tracked",
              `In ${offer.tracking.tracksWithinDays.min} to ${offer.tracking.tracksWithinDays.max} days you see it in your account.`,
            ],
            ["Confirmed", "Once the time for returns is over, the shop confirms that the purchase stands."],
            ["Yours", "The shop has paid us: the money goes out with the next payment."],
          ].map(([name, words]) => (
            <li key={name} className="arrival-step">
              <h4 className="label">{name}</h4>
              <p>{words}</p>
            </li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="terms" className="offer-terms">
        <h2 id="terms" className="display section-title">
          Before you buy
        </h2>
        <dl>
          <div>
            <dt>Not included</dt>
            <dd className="prose">
              <p>{offer.exclusions}</p>
            </dd>
          </div>
          <div>
            <dt>Terms</dt>
            <dd className="prose">
              <p>{offer.terms}</p>
            </dd>
          </div>
          <div>
            <dt>Dates</dt>
            <dd>
              From {day.format(offer.startsAt)}{" "}
              {offer.endsAt ? `to ${day.format(offer.endsAt)}` : "until further notice"}
            </dd>
          </div>
        </dl>
      </section>
      <section aria-labelledby="similar">
        <h2 id="similar" className="display section-title">
          More like this
        </h2>
        <OfferGrid offers={offer.similar} now={now} />
      </section>
    </article>
  );
}

function DealPanel({ offer, isSignedIn }: { offer: OfferPage; isSignedIn: boolean }) {
  const path = `/offers/${offer.slug}?offer=${offer.publicId}`;
  return (
    <section aria-label="The offer" className="deal-panel">
      {offer.code && !isSignedIn ? (
        <form action="/login" method="get">
          <input type="hidden" name="next" value={path} />
          <button
            type="submit"
            className="button is-large is-wide"
            aria-describedby="deal-hint"
            data-tracking="register_for_offer"
          >
            <span className="button-label">Reveal code</span>
            <span className="spinner-place" />
          </button>
          <span role="status" className="visually-hidden" />
          <p id="deal-hint" className="deal-hint">
            Codes are for members: you log in first
          </p>
        </form>
      ) : (
        <a href={`/go/offers/${offer.publicId}`} className="button is-large" rel="nofollow noopener" target="_blank">
          Go to {offer.retailer.name}
        </a>
      )}
      <ul className="deal-facts" role="list">
        <li>
          Shows in your account within {offer.tracking.tracksWithinDays.max} days. Opens {offer.retailer.name} in a new
          tab.
        </li>
        {offer.endsAt && (
          <li>
            Ends {day.format(offer.endsAt)}
            <span className="time-left figures" aria-hidden="true" hidden data-ends-at={offer.endsAt.getTime()} />
          </li>
        )}
      </ul>
    </section>
  );
}
