import { listCardCategories, listPopularCards } from "@farthing/core/gift-cards/catalogue.server.ts";
import type { Route } from "./+types/portal-page";
import { CardList, toCardRow } from "./card-list.tsx";
import { PortalError, portalLinks, PortalShell } from "./portal-shell.tsx";
import { portalFrame, portalVisit } from "./portal.server.ts";

const MAX_POPULAR = 12;

export const links = portalLinks;

/** The catalogue's front: what most people look for, and all categories. */
export async function loader({ context }: Route.LoaderArgs) {
  const visit = portalVisit(context);
  const { db, member } = visit;
  const [frame, categories, popular] = await Promise.all([
    portalFrame(visit),
    listCardCategories(db),
    listPopularCards(db, { max: MAX_POPULAR }),
  ]);
  const cards = popular.map((card) => toCardRow(card, { isMember: member !== null }));
  return { frame, categories, cards };
}

export default function PortalPage({ loaderData: { frame, categories, cards } }: Route.ComponentProps) {
  return (
    <PortalShell title="Gift cards" frame={frame}>
      <h1 className="display page-title">Gift cards for less</h1>
      {cards.length === 0 && <p>No cards are sold at the moment. Come back a little later.</p>}
      {categories.length > 0 && (
        <nav aria-label="Categories">
          <ul className="chips portal-chips" role="list">
            {categories.map(({ slug, name, cards: count }) => (
              <li key={slug}>
                <a className="chip" href={`/portal/categories/${slug}`}>
                  {name} <span className="portal-chip-count">{count}</span>
                </a>
              </li>
            ))}
          </ul>
        </nav>
      )}
      {cards.length > 0 && (
        <section aria-labelledby="popular">
          <h2 id="popular" className="display portal-heading">
            Popular cards
          </h2>
          <CardList cards={cards} />
        </section>
      )}
    </PortalShell>
  );
}

export const ErrorBoundary = PortalError;
