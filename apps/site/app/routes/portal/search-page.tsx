import { listPopularCards, MAX_FOUND, searchCards } from "@farthing/core/gift-cards/catalogue.server.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import type { Route } from "./+types/search-page";
import { CardList, toCardRow } from "./card-list.tsx";
import { PortalError, portalLinks, PortalShell } from "./portal-shell.tsx";
import { cardCount } from "./portal-words.ts";
import { portalFrame, portalVisit } from "./portal.server.ts";

/** Shown where nothing was found. */
const MAX_INSTEAD = 8;

export const links = portalLinks;

export async function loader({ context, request }: Route.LoaderArgs) {
  const visit = portalVisit(context);
  const { db, member } = visit;
  const { q: query } = readParameters(request, "/portal/search");
  const [frame, found] = await Promise.all([portalFrame(visit), query === "" ? [] : searchCards(db, { query })]);
  const instead = found.length === 0 ? await listPopularCards(db, { max: MAX_INSTEAD }) : [];
  const rows = (cards: typeof found) => cards.map((card) => toCardRow(card, { isMember: member !== null }));
  return { frame, query, found: rows(found), instead: rows(instead) };
}

export default function SearchPage({ loaderData: { frame, query, found, instead } }: Route.ComponentProps) {
  const title = query === "" ? "Search gift cards" : `Gift cards for “${query}”`;
  return (
    <PortalShell title={title} frame={frame} query={query}>
      <p className="portal-back">
        <a href="/portal">All gift cards</a>
      </p>
      <h1 className="display page-title">{title}</h1>
      {query === "" ? (
        <p>Type the name of a shop, or what you want to buy there.</p>
      ) : (
        <p className="soft" role="status">
          {found.length === 0
            ? "We found none. Check the spelling, or look through these."
            : found.length === MAX_FOUND
              ? `The best ${MAX_FOUND}`
              : cardCount(found.length)}
        </p>
      )}
      <CardList cards={found.length > 0 ? found : instead} />
    </PortalShell>
  );
}

export const ErrorBoundary = PortalError;
