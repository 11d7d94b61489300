import { bestRate, lowestRate, paysCashback } from "@farthing/core/catalogue/rates.ts";
import { describeUsual, formatAmount, plusCashback } from "@farthing/core/catalogue/rate-wording.ts";
import { termsLine } from "@farthing/core/catalogue/rules.ts";
import { namedEnd } from "@farthing/core/catalogue/london-time.ts";
import { href, useRouteLoaderData } from "react-router";
import { ArrivalSteps } from "../../ui/text/arrival-steps.tsx";
import { dayAndMonth, longDate } from "../../ui/text/british-dates.ts";
import { Crumbs } from "../../ui/lists/crumbs.tsx";
import { FavouriteButton } from "../../ui/favourites/favourite-button.tsx";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { JsonLd } from "../../ui/page-head/json-ld.tsx";
import { offerFacts } from "../../ui/page-head/page-facts.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { Paragraphs } from "../../ui/text/paragraphs.tsx";
import { RatesTable } from "../../ui/cards/rates-table.tsx";
import { workedExample } from "../../ui/cards/rate-example.ts";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { Scorecard } from "../../ui/cards/scorecard.tsx";
import type { RootData } from "../../root-data.ts";
import { PreFlightDialog } from "../clicks/pre-flight-dialog.tsx";
import { AppDialog } from "./app-dialog.tsx";
import { DealPanel, hasCode } from "./deal-panel.tsx";
import { howToUse } from "./how-to-use.ts";
import type { OfferData } from "./offer-data.ts";
import { OfferOver } from "./offer-over.tsx";

const OTHERS_WHEN_OVER = "On now instead";

/**
 * The offer: the benefit and the one button first, then everything a member should know before the click (O7). Where it
 * ends while the page is open, time-left.behaviour.ts removes what is marked `data-until-over`, and writes what
 * `data-when-over` says.
 */
export function OfferArticle({ data }: { data: OfferData }) {
  const { offer, now, app } = data;
  const { retailer, rates, tracking, similar } = offer;
  const category = offer.categories[0];
  const path = pagePath(href("/offers/:slug", { slug: offer.slug }), { offer: offer.publicId });
  const root = useRouteLoaderData("root") as RootData | undefined;
  const plus = plusCashback({ bestRate: bestRate(rates), lowestRate: lowestRate(rates) });
  const isLive = data.isForUs && offer.state === "live";
  const canStillUse = isLive || (data.isForUs && offer.state === "upcoming");
  const steps = isLive ? stepsOf(data, data.variant) : [];
  return (
    <article
      className={canStillUse ? "wrap page offer" : "wrap page offer is-over"}
      data-tracking="offer_details"
      data-tracking-offer-id={offer.publicId}
      data-tracking-offer-kind={offer.kind}
      data-tracking-retailer={retailer.name}
    >
      <PageHead
        title={`${offer.headline || offer.title} at ${retailer.name}`}
        description={[offer.title, offer.description].filter(Boolean).join(". ")}
        path={path}
        isPrivate={!isLive}
      />
      <Crumbs
        steps={[
          ...(category ? [{ name: category.name, path: href("/categories/:slug", { slug: category.slug }) }] : []),
          { name: retailer.name, path: href("/retailers/:slug", { slug: retailer.slug }) },
        ]}
        here={{ name: offer.headline || offer.title, path }}
      />
      {isLive && root && <JsonLd facts={offerFacts(root.origin, offer, { path, brandName: root.brand.name })} />}
      <div className="offer-top">
        <header className="offer-what">
          <p className="offer-retailer">
            <RetailerMark slug={retailer.slug} size={56} isOwn />
            <a href={href("/retailers/:slug", { slug: retailer.slug })} data-tracking="merchant_information">
              {retailer.name}
            </a>
            <FavouriteButton
              kind="offer"
              id={offer.publicId}
              name={`${offer.headline || offer.title}, ${retailer.name}`}
            />
          </p>
          <h1>
            <span className="offer-headline display">{offer.headline || offer.title}</span>{" "}
            {offer.headline && <span className="offer-title">{offer.title}</span>}
          </h1>
          {canStillUse && offer.kind !== "cashback" && plus && (
            <p className="tag is-good offer-plus" data-until-over="">
              {plus}
            </p>
          )}
          {offer.adultsOnly && <p className="tag is-warn">For over-18s only</p>}
        </header>
        <DealPanel data={data} />
        {isLive && offer.endsAt && (
          <>
            <template id="offer-over">
              <OfferOver offer={{ ...offer, state: "expired" }} />
            </template>
            <p role="status" className="visually-hidden" data-when-over="This offer has just ended." />
          </>
        )}
        <div className="offer-about">
          {offer.description && (
            <div className="prose">
              <Paragraphs text={offer.description} />
            </div>
          )}
          {isLive && <AtAGlance offer={offer} now={now} />}
        </div>
      </div>
      {steps.length > 0 && (
        <section aria-labelledby="how" data-until-over="">
          <h2 id="how" className="display section-title">
            How it works
          </h2>
          <Steps steps={steps} variant={data.variant} />
          {offer.variants
            .filter(({ publicId }) => publicId !== data.variant)
            .map(({ publicId }) => (
              <template key={publicId}>
                <Steps steps={stepsOf(data, publicId)} variant={publicId} />
              </template>
            ))}
        </section>
      )}
      {canStillUse && paysCashback(rates) && (
        <section aria-labelledby="rates" data-until-over="">
          <h2 id="rates" className="display section-title">
            What you earn
          </h2>
          <RatesTable rates={rates} now={now} />
          {/* This site does not see purchases in the app. */}
          {offer.kind !== "app_exclusive" && (
            <>
              <h3 className="offer-subtitle display">When the money arrives</h3>
              <ArrivalSteps tracking={tracking} />
              <Scorecard scorecard={offer.scorecard} />
              {!tracking.acceptsClaims && (
                <p className="soft offer-claims">
                  {retailer.name} does not accept claims for purchases that fail to show up, so follow our link right
                  before you pay.
                </p>
              )}
            </>
          )}
        </section>
      )}
      {canStillUse && (offer.terms || offer.exclusions || offer.endsAt) && (
        <section aria-labelledby="terms" className="offer-terms" data-until-over="">
          <h2 id="terms" className="display section-title">
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
                From {longDate(offer.startsAt)}{" "}
                {offer.endsAt ? `to ${longDate(namedEnd(offer.endsAt))}` : "until further notice"}
              </dd>
            </div>
          </dl>
        </section>
      )}
      {similar.length > 0 && (
        <section aria-labelledby="similar">
          <h2 id="similar" className="display section-title" data-when-over={OTHERS_WHEN_OVER}>
            {canStillUse ? "More like this" : OTHERS_WHEN_OVER}
          </h2>
          <OfferGrid offers={similar} now={now} isRow />
        </section>
      )}
      {app && <AppDialog app={app} />}
      {data.pageLink && <PreFlightDialog retailer={offer.retailer.name} page={data.pageLink} />}
    </article>
  );
}

function stepsOf(data: OfferData, variant: string | null): string[] {
  const { offer, sellsGiftCards, app } = data;
  return howToUse(offer, { hasCode: hasCode(data, variant), sellsGiftCards, hasApp: app !== null });
}

/** The steps of a variant. Those of the others are in templates, for variant-choice.behaviour.ts. */
function Steps({ steps, variant }: { steps: readonly string[]; variant: string | null }) {
  return (
    <ol className="offer-how" role="list" data-variant={variant ?? undefined}>
      {steps.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ol>
  );
}

/** The rates and the conditions, visible without scrolling. */
function AtAGlance({ offer: { rates, exclusions, terms }, now }: { offer: OfferData["offer"]; now: Date }) {
  const best = bestRate(rates);
  const catchLine = termsLine({ exclusions, terms });
  if (!best && !catchLine) return null;
  return (
    <ul className="offer-glance" role="list" data-until-over="">
      {best?.boostedUntil && (
        <li>
          <b>
            Boosted to {formatAmount(best)} until {dayAndMonth(namedEnd(best.boostedUntil), now)}
          </b>
          , {describeUsual(best)}.
        </li>
      )}
      {best && (
        <li>
          For example, {workedExample(best)}
          {best.kind === "percent" && `, worked out ${best.basis}`}
          {rates.length > 1 && ` (${best.label.toLowerCase()})`}.
        </li>
      )}
      {catchLine && <li>{catchLine}.</li>}
    </ul>
  );
}
