import type {
  ListedOffer,
  OfferCard,
  RetailerPage as RetailerPageView,
} from "@farthing/core/catalogue/catalogue-view.ts";
import { bestRate, lowestRate, paysCashback } from "@farthing/core/catalogue/rates.ts";
import { summariseRates } from "@farthing/core/catalogue/rate-wording.ts";
import { slugSchema } from "@farthing/core/catalogue/schema.ts";
import { findMergedPlace } from "@farthing/core/catalogue/retailers/find-merged.server.ts";
import { data, href, redirect } from "react-router";
import type { CatalogueReads } from "../../../server/catalogue-reads.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import type { OwnPageVariables } from "../../../server/page-variables.ts";
import { isForMember } from "../../../server/visit.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { ArrivalSteps } from "../../ui/text/arrival-steps.tsx";
import { Crumbs } from "../../ui/lists/crumbs.tsx";
import { FavouriteButton } from "../../ui/favourites/favourite-button.tsx";
import { ListFacts } from "../../ui/lists/list-facts.tsx";
import { LoadingLink } from "../../ui/forms/loading-button.tsx";
import { sortInPath } from "../../ui/lists/offer-sorts.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { kindInPath } from "../../ui/cards/offer-kinds.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { Paragraphs } from "../../ui/text/paragraphs.tsx";
import { RatesTable } from "../../ui/cards/rates-table.tsx";
import { RetailerMark } from "../../ui/cards/retailer-mark.tsx";
import { toRetailerRow } from "../../ui/lists/retailer-row.ts";
import { RetailerGrid } from "../../ui/cards/retailer-tile.tsx";
import { Scorecard } from "../../ui/cards/scorecard.tsx";
import { pageLink } from "../clicks/page-link.ts";
import { PreFlightDialog } from "../clicks/pre-flight-dialog.tsx";
import { preFlightPath } from "../clicks/pre-flight-path.ts";
import { pageOfOffers, RetailerOffers } from "./retailer-offers.tsx";
import type { Route } from "./+types/retailer-page";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { db, now: clock } = context.get(servicesContext);
  const visit = context.get(visitContext);
  const slug = slugSchema.parse(params.slug);
  const now = clock();
  const catalogue = context.get(catalogueContext);
  const retailer = slug && (await catalogue.findRetailerPage({ brandId: visit.brand.id, now, slug }));
  if (!retailer) {
    // The address of a retailer that was merged stays good.
    const place = slug && (await findMergedPlace(db, { brandId: visit.brand.id, slug }));
    if (!place) throw data(null, 404);
    const { kind, sort, page } = readParameters(request, "/retailers/:slug");
    const path = href("/retailers/:slug", { slug: place });
    const filters = { kind: kindInPath(kind), sort: sortInPath(sort), page: page === 1 ? null : String(page) };
    throw redirect(pagePath(path, filters), { status: 301, headers: { "Cache-Control": "max-age=300" } });
  }
  const { offers: listed, ...list } = pageOfOffers(retailer.offers, readParameters(request, "/retailers/:slug"));
  const offers = await readCards(catalogue, { brandId: visit.brand.id, now, listed });
  return {
    retailer: { ...retailer, offers, similar: retailer.similar.map(toRetailerRow) },
    list: { ...list, offers },
    now,
    isSignedIn: isForMember(visit),
    link: isForMember(visit) ? pageLink(visit.origin, href("/retailers/:slug", { slug: retailer.slug })) : null,
    pageVariables: { RETAILER_NAME: retailer.name } satisfies OwnPageVariables,
  };
}

/** Returns the cards of listed offers, in their order. One that has ended since the list was read has none. */
async function readCards(
  catalogue: CatalogueReads,
  { brandId, now, listed }: { brandId: string; now: Date; listed: readonly ListedOffer[] },
): Promise<OfferCard[]> {
  const publicIds = listed.map(({ publicId }) => publicId);
  if (publicIds.length === 0) return [];
  const cards = await catalogue.listOfferCards({ brandId, now, filters: { publicIds } });
  return publicIds.flatMap((id) => cards.find(({ publicId }) => publicId === id) ?? []);
}

export default function RetailerPage({ loaderData }: Route.ComponentProps) {
  const { retailer, list, now, isSignedIn, link } = loaderData;
  const { slug, name, rates, similar, tracking } = retailer;
  const summary = summariseRates({ bestRate: bestRate(rates), lowestRate: lowestRate(rates) });
  const main = retailer.categories.find(({ isMain }) => isMain) ?? retailer.categories[0];
  return (
    <article className="wrap page" data-tracking="retailer_details" data-tracking-retailer={name}>
      <PageHead
        title={`${name}: cashback and offers`}
        description={[summary && `${summary} at ${name}`, retailer.shortInfo].filter(Boolean).join(". ")}
        path={href("/retailers/:slug", { slug: slug })}
      />
      <Crumbs
        steps={[
          { name: "Retailers", path: "/retailers" },
          ...(main ? [{ name: main.name, path: href("/categories/:slug", { slug: main.slug }) }] : []),
        ]}
        here={{ name, path: href("/retailers/:slug", { slug: slug }) }}
      />
      <ListFacts name={`Offers at ${name}`} offers={list.offers} />
      <header className="retailer-hero">
        <RetailerMark slug={slug} size={96} isOwn />
        <div className="retailer-hero-words">
          <h1 className="display">{name}</h1>
          {summary && (
            <p className="retailer-hero-rate display">
              {summary.endsWith("ashback") ? summary : `${summary} cashback`}
            </p>
          )}
          {retailer.adultsOnly && <p className="tag is-warn">For over-18s only</p>}
          <RetailerInfo retailer={retailer} />
          <div className="retailer-hero-kept">
            <FavouriteButton kind="retailer" id={slug} name={name} hasWords />
            {retailer.status === "active" && <FavouriteButton kind="alert" id={slug} name={name} hasWords />}
          </div>
        </div>
        {retailer.status === "active" && summary && (
          <div className="retailer-hero-action">
            <LoadingLink
              href={`/go/retailers/${slug}`}
              opensNewTab
              className="is-large is-wide"
              describedBy="go-hint"
              checkedBy={isSignedIn ? preFlightPath(`/go/retailers/${slug}`) : undefined}
              marks={{ "data-tracking": "cashback_url_click", "data-tracking-retailer": name }}
            >
              Get cashback
            </LoadingLink>
            <p id="go-hint" className="soft">
              {isSignedIn ? `Opens ${name} in a new tab.` : "Log in first, so that we know whose cashback it is."}
            </p>
          </div>
        )}
      </header>
      {link && retailer.status === "active" && summary && <PreFlightDialog retailer={name} page={link} />}
      <StatusNotice retailer={retailer} />
      <RetailerOffers slug={slug} list={list} now={now} />
      {paysCashback(rates) && (
        <section aria-labelledby="rates">
          <h2 id="rates" className="display section-title">
            What you earn
          </h2>
          <RatesTable rates={rates} now={now} />
          {retailer.terms && (
            <div className="prose rates-terms">
              <Paragraphs text={retailer.terms} />
            </div>
          )}
        </section>
      )}
      {paysCashback(rates) && (
        <section aria-labelledby="arrival">
          <h2 id="arrival" className="display section-title">
            When the money arrives
          </h2>
          <ArrivalSteps tracking={tracking} />
          <Scorecard scorecard={retailer.scorecard} />
          <p className="soft arrival-note">
            {tracking.acceptsClaims ? (
              <>
                If a purchase doesn’t show up in time, <a href={href("/money/claims/new")}>claim it</a> with the date,
                the amount and the order number: <a href="/faq/cashback/my-purchase-is-not-there">what to do first</a>.
              </>
            ) : (
              `${name} does not accept claims for purchases that fail to show up. Follow our link right before you pay, and let it set its cookies.`
            )}
          </p>
        </section>
      )}
      {similar.length > 0 && (
        <section aria-labelledby="similar">
          <h2 id="similar" className="display section-title">
            Similar shops
          </h2>
          <RetailerGrid retailers={similar} />
        </section>
      )}
    </article>
  );
}

/** The short text, with a toggle to the long one (D3). It is a details element and needs no script. */
function RetailerInfo({
  retailer: { shortInfo, longInfo },
}: {
  retailer: Pick<RetailerPageView, "shortInfo" | "longInfo">;
}) {
  if (!longInfo || longInfo === shortInfo) return shortInfo ? <p>{shortInfo}</p> : null;
  return (
    <div className="retailer-info">
      <p className="retailer-info-short">{shortInfo}</p>
      <details>
        <summary data-tracking="merchant_information">
          <span className="when-closed">Read more</span>
          <span className="when-open">Read less</span>
        </summary>
        <div className="prose">
          <Paragraphs text={longInfo} />
        </div>
      </details>
    </div>
  );
}

function StatusNotice({
  retailer: { name, status, offers, rates },
}: {
  retailer: Pick<RetailerPageView, "name" | "status" | "rates"> & { offers: readonly unknown[] };
}) {
  if (status === "paused") {
    return (
      <Notice tone="warn" title={`${name} has paused its offers`}>
        <p>There is no cashback at the moment, so we don’t link there. What you have already earned is not affected.</p>
      </Notice>
    );
  }
  if (status === "in_administration") {
    return (
      <Notice tone="bad" title={`${name} is in administration`}>
        <p>
          We have stopped linking to it: goods may not arrive and cashback may not be paid. If you have bought there
          lately, pay attention to your delivery and ask your card’s provider about its protection.
        </p>
      </Notice>
    );
  }
  if (status === "closed") {
    return (
      <Notice tone="bad" title={`${name} has closed`}>
        <p>There is nothing to buy there any more. Similar shops are below.</p>
      </Notice>
    );
  }
  if (offers.length === 0 && !paysCashback(rates)) {
    return (
      <Notice tone="info" title="Nothing on just now">
        <p>{name} has no offers for you at the moment. Similar shops are below.</p>
      </Notice>
    );
  }
  return null;
}
