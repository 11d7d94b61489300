import type { ListedCard } from "@farthing/core/gift-cards/catalogue.server.ts";
import { amountsInWords, rewardInWords } from "./portal-words.ts";

export type CardRow = ReturnType<typeof toCardRow>;

/** Returns what a list shows of a card, in words. */
export function toCardRow({ slug, name, amounts, ...terms }: ListedCard, { isMember }: { isMember: boolean }) {
  const reward = rewardInWords(terms, amounts, { isMember }).short;
  return { slug, name, reward, amounts: amountsInWords(amounts) };
}

/** Cards with their pictures. The whole tile is one link, to the portal unless `pathOf` says otherwise. */
export function CardList({
  cards,
  pathOf = (slug) => `/portal/cards/${slug}`,
}: {
  cards: CardRow[];
  pathOf?: (slug: string) => string;
}) {
  return (
    <ul className="portal-cards" role="list">
      {cards.map(({ slug, name, reward, amounts }, index) => (
        <li key={slug} className="portal-card">
          <CardPicture slug={slug} isEager={index < 4} />
          <a href={pathOf(slug)}>{name}</a>
          {reward && <p className="portal-reward">{reward}</p>}
          <p className="soft">{amounts}</p>
        </li>
      ))}
    </ul>
  );
}

/** A card's picture. It is decorative: the name stands beside it. */
export function CardPicture({ slug, isEager = false }: { slug: string; isEager?: boolean }) {
  return (
    <img
      className="portal-picture"
      src={`/art/gift-cards/${slug}.svg`}
      alt=""
      width={320}
      height={200}
      loading={isEager ? "eager" : "lazy"}
      decoding="async"
    />
  );
}
