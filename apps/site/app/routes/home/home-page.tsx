import { findMoneySentence } from "@farthing/core/cashback/money-sentence.server.ts";
import { Fragment } from "react";
import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { CategoryChips } from "../../ui/cards/category-tile.tsx";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { JsonLd } from "../../ui/page-head/json-ld.tsx";
import { siteFacts } from "../../ui/page-head/page-facts.ts";
import { PageHead } from "../../ui/page-head/page-head.tsx";
import { SearchForm } from "../../ui/search/search-form.tsx";
import { findHomeData } from "./home-data.server.ts";
import { HomeSectionOf } from "./home-section.tsx";
import type { Route } from "./+types/home-page";

export async function loader({ context }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand, member, anyMember } = context.get(visitContext);
  const [home, money] = await Promise.all([
    findHomeData(context.get(catalogueContext), brand, now()),
    anyMember?.money ?? (member && findMoneySentence(db, { memberId: member.id })),
  ]);
  return { ...home, money };
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { sections, offers, categories, money } = loaderData;
  const root = useRouteLoaderData("root") as RootData;
  const { brand } = root;
  const popular = [...categories].sort((a, b) => b.liveOffers - a.liveOffers).slice(0, 4);
  return (
    <>
      <PageHead title={null} description={`${brand.strapline}. Cashback and codes for ${brand.audience}.`} path="/" />
      <JsonLd facts={siteFacts(root.origin, brand)} />
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
        {money && (
          <a className="home-money" href="/money">
            <strong>Your money</strong> <span>{money}</span>
          </a>
        )}
        {offers.length === 0 && (
          <EmptyState title="The shelves are being filled">
            <p>There are no offers here yet. Look in again soon.</p>
          </EmptyState>
        )}
        {sections.map((section) => (
          <Fragment key={section}>
            <HomeSectionOf section={section} data={loaderData} audience={brand.audience} />
          </Fragment>
        ))}
      </div>
    </>
  );
}
