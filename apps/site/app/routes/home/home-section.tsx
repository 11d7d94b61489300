import type { HomeSection } from "@farthing/core/brands/brand.ts";
import { CategoryCarousel, CategoryGrid } from "../../ui/cards/category-tile.tsx";
import { LogoGrid } from "../../ui/lists/logo-grid.tsx";
import { LogoCarousel } from "../../ui/carousel/logo-carousel.tsx";
import { OfferGrid } from "../../ui/cards/offer-card.tsx";
import { OfferCarousel } from "../../ui/carousel/offer-carousel.tsx";
import { EndingSoon } from "./ending-soon.tsx";
import type { HomeData } from "./home-data.server.ts";
import { HowItWorks } from "./how-it-works.tsx";

/**
 * One section of the home page, or nothing where it has no content. The brand decides which sections there are, and
 * their order (D1).
 */
export function HomeSectionOf({ section, data, audience }: { section: HomeSection; data: HomeData; audience: string }) {
  const { now, offers, lead, latest, ending, logos, cashback, categories } = data;
  switch (section) {
    case "offers":
      return offers.length > 0 && <OfferCarousel title="Popular now" offers={offers} now={now} />;
    case "logos":
      return logos.length > 0 && <LogoCarousel title={`Favourites of ${audience}`} retailers={logos} />;
    case "lead":
      return (
        lead &&
        lead.offers.length > 0 && (
          <section aria-labelledby="lead">
            <Head id="lead" title={lead.label} more={{ href: lead.href, words: "See them all" }} />
            <OfferGrid offers={lead.offers} now={now} isRow />
          </section>
        )
      );
    case "cashback":
      return (
        cashback.length > 0 && (
          <section aria-labelledby="cashback">
            <Head id="cashback" title="Cashback at" more={{ href: "/retailers", words: "All retailers, A to Z" }} />
            <LogoGrid retailers={cashback} />
          </section>
        )
      );
    case "how":
      return <HowItWorks />;
    case "categories":
      return (
        categories.length > 0 && (
          <section aria-labelledby="categories">
            <Head id="categories" title="Browse by category" />
            <CategoryGrid categories={categories} />
          </section>
        )
      );
    case "category-carousel":
      return categories.length > 0 && <CategoryCarousel title="Browse by category" categories={categories} />;
    case "latest":
      return (
        latest.length > 0 && (
          <section aria-labelledby="latest">
            <Head id="latest" title="Just in" />
            <OfferGrid offers={latest} now={now} isRow />
          </section>
        )
      );
    case "ending":
      return ending.length > 0 && <EndingSoon offers={ending} now={now} />;
  }
}

function Head({ id, title, more }: { id: string; title: string; more?: { href: string; words: string } }) {
  return (
    <div className="section-head">
      <h2 id={id} className="display section-title">
        {title}
      </h2>
      {more && <a href={more.href}>{more.words}</a>}
    </div>
  );
}
