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
    <article className="wrap page offer">
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
        </header>
        <DealPanel offer={offer} isSignedIn={member !== null} />
        <div className="offer-about">
          <div className="prose">
            <p>{offer.description}</p>
          </div>
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
        <table className="rates-table">
          <thead>
            <tr>
              <th scope="col">On</th>
              <th scope="col">You earn</th>
              <th scope="col">Worked out</th>
            </tr>
          </thead>
          <tbody>
            {offer.rates.map((rate) => (
              <tr key={rate.label}>
                <th scope="row">{rate.label}</th>
                <td>
                  <b>{formatAmount(rate)}</b> {rate.boostedUntil && describeUsual(rate)}
                </td>
                <td>{rate.basis}</td>
              </tr>
            ))}
          </tbody>
        </table>
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
        <a href={`/login?next=${encodeURIComponent(path)}`} className="button is-large">
          Log in to see the code
        </a>
      ) : (
        <a href={`/go/offers/${offer.publicId}`} className="button is-large" rel="nofollow noopener" target="_blank">
          Go to {offer.retailer.name}
        </a>
      )}
      <p className="soft">
        Opens {offer.retailer.name} in a new tab. Your cashback is worked out by what you pay there.
      </p>
    </section>
  );
}
