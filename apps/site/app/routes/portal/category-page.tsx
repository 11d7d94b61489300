import { findCardCategory } from "@farthing/core/gift-cards/catalogue.server.ts";
import { data } from "react-router";
import type { Route } from "./+types/category-page";
import { CardList, toCardRow } from "./card-list.tsx";
import { PortalError, portalLinks, PortalShell } from "./portal-shell.tsx";
import { cardCount } from "./portal-words.ts";
import { portalFrame, portalVisit } from "./portal.server.ts";

export const links = portalLinks;

export async function loader({ context, params }: Route.LoaderArgs) {
  const visit = portalVisit(context);
  const [frame, category] = await Promise.all([
    portalFrame(visit),
    findCardCategory(visit.db, { slug: params.slug.slice(0, 100) }),
  ]);
  if (!category) throw data(null, 404);
  const cards = category.cards.map((card) => toCardRow(card, { isMember: visit.member !== null }));
  return { frame, name: category.name, cards };
}

export default function CategoryPage({ loaderData: { frame, name, cards } }: Route.ComponentProps) {
  return (
    <PortalShell title={`${name} gift cards`} frame={frame}>
      <p className="portal-back">
        <a href="/portal">All gift cards</a>
      </p>
      <h1 className="display page-title">{name}</h1>
      <p className="soft">{cardCount(cards.length)}</p>
      <CardList cards={cards} />
    </PortalShell>
  );
}

export const ErrorBoundary = PortalError;
