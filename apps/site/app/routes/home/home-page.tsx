import { useRouteLoaderData } from "react-router";
import { pageHandle } from "../../page-handle.ts";
import type { RootData } from "../../root.tsx";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { CategoryChips, CategoryGrid } from "../../ui/category-tile.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { OfferGrid } from "../../ui/offer-card.tsx";
import { PageHead } from "../../ui/page-head.tsx";
import { RetailerGrid } from "../../ui/retailer-tile.tsx";
import { SearchForm } from "../../ui/search-form.tsx";
import { EndingSoon } from "./ending-soon.tsx";
import { HowItWorks } from "./how-it-works.tsx";
import type { Route } from "./+types/home-page";

export const handle = pageHandle("home", "index", { bringsSearch: true });

/** Seven columns at the widest, so three whole rows there; whole rows at every other width too (3, 4 and 6 columns share 12). */
const logos = 21;

export async function loader({ context }: Route.LoaderArgs) {
  const { now: clock } = context.get(servicesContext);
  const { brand } = context.get(visitContext);
  const now = clock();
  const home = await context.get(catalogueContext).findHomePage({ brandId: brand.id, now });
  return {
    now,
    featured: home.featured.slice(0, 8),
    latest: home.latest.slice(0, 4),
    endingSoon: home.endingSoon.slice(0, 6),
    cashbackRetailers: home.cashbackRetailers.slice(0, logos),
    categories: home.categories,
  };
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { now, featured, latest, endingSoon, cashbackRetailers, categories } = loaderData;
  const root = useRouteLoaderData("root") as RootData;
  const { brand } = root;
  const popular = [...categories].sort((a, b) => b.liveOffers - a.liveOffers).slice(0, 4);
  return (
    <>
      <PageHead title={null} description={`${brand.strapline}. Cashback and codes for ${brand.audience}.`} path="/" />
      <div className="hero-frame">
        <section className="hero" aria-labelledby="hero-title">
          <div className="wrap hero-columns">
            <div className="hero-words">
              <h1 id="hero-title" className="display">
                {brand.strapline}
              </h1>
              <p className="hero-lead">Cashback and codes at shops you already use, free for {brand.audience}.</p>
              <SearchForm isLarge />
              {popular.length > 0 && <CategoryChips categories={popular} />}
            </div>
            <div className="hero-art" aria-hidden="true" />
          </div>
        </section>
      </div>
      <div className="wrap page home">
        {featured.length === 0 && (
          <EmptyState title="The shelves are being filled">
            <p>There are no offers here yet. Look in again soon.</p>
          </EmptyState>
        )}
        {featured.length > 0 && (
          <section aria-labelledby="featured">
            <div className="section-head">
              <h2 id="featured" className="display section-title">
                Popular now
              </h2>
            </div>
            <OfferGrid offers={featured} now={now} isRow />
          </section>
        )}
        {cashbackRetailers.length > 0 && (
          <section aria-labelledby="cashback">
            <div className="section-head">
              <h2 id="cashback" className="display section-title">
                Cashback at
              </h2>
              <a href="/retailers">All retailers, A to Z</a>
            </div>
            <RetailerGrid retailers={cashbackRetailers} />
          </section>
        )}
        <HowItWorks />
        {categories.length > 0 && (
          <section aria-labelledby="categories">
            <h2 id="categories" className="display section-title">
              Browse by category
            </h2>
            <CategoryGrid categories={categories} />
          </section>
        )}
        {latest.length > 0 && (
          <section aria-labelledby="latest">
            <h2 id="latest" className="display section-title">
              Just in
            </h2>
            <OfferGrid offers={latest} now={now} isRow />
          </section>
        )}
        {endingSoon.length > 0 && <EndingSoon offers={endingSoon} now={now} />}
      </div>
    </>
  );
}
