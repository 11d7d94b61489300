import {
  findWallet,
  isUsable,
  type CardInTheMaking,
  type WalletCard,
} from "@farthing/core/gift-cards/wallet.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { href } from "react-router";
import { memberContext, servicesContext } from "../../site-context.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { CardPicture } from "../portal/card-list.tsx";
import type { Route } from "./+types/wallet-page";
import { expiryWords, presentWords, tagOf } from "./wallet-words.ts";
import stylesheet from "./wallet.css?url";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: stylesheet }];

export async function loader({ context }: Route.LoaderArgs) {
  const member = context.get(memberContext);
  const { db, now: clock } = context.get(servicesContext);
  const now = clock();
  const { cards, making } = await findWallet(db, { memberId: member.id, now });
  const groups = {
    usable: cards.filter(isUsable),
    given: cards.filter(({ present }) => present !== null),
    over: cards.filter((card) => !isUsable(card) && card.present === null),
  };
  return { groups, making, now };
}

/** A member's gift cards (G6): those to use, presents, those that are over, and those that are being made. */
export default function WalletPage({ loaderData: { groups, making, now } }: Route.ComponentProps) {
  const { usable, given, over } = groups;
  const isEmpty = usable.length + given.length + over.length + making.length === 0;
  const keeps = [...usable, ...over].map(({ publicId }) => publicId).join(" ");
  return (
    <ProfileShell
      current="money"
      title="Gift cards"
      parent={{ href: "/money", label: "Your money" }}
      lead="Your codes are encrypted, and shown when you ask for them."
    >
      <div data-wallet={keeps}>
        {isEmpty && (
          <EmptyState title="No gift cards yet">
            <p>Cards that you buy are here, with what is left on them and until when they can be used.</p>
            <p className="button-row">
              <a className="button" href="/gift-cards">
                See the gift cards
              </a>
            </p>
          </EmptyState>
        )}
        {making.length > 0 && (
          <Group id="making" title="On their way">
            {making.map((card) => (
              <MakingRow key={card.publicId} card={card} now={now} />
            ))}
          </Group>
        )}
        {usable.length > 0 && (
          <Group id="usable" title="To use">
            {usable.map((card) => (
              <CardRow key={card.publicId} card={card} now={now} />
            ))}
          </Group>
        )}
        {given.length > 0 && (
          <Group id="given" title="Presents">
            {given.map((card) => (
              <CardRow key={card.publicId} card={card} now={now} />
            ))}
          </Group>
        )}
        {over.length > 0 && (
          <Group id="over" title="Used or expired">
            {over.map((card) => (
              <CardRow key={card.publicId} card={card} now={now} />
            ))}
          </Group>
        )}
        {!isEmpty && (
          <p className="button-row wallet-more">
            <a className="button is-quiet" href="/gift-cards">
              Buy another gift card
            </a>
          </p>
        )}
      </div>
    </ProfileShell>
  );
}

function Group({ id, title, children }: { id: string; title: string; children: React.ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="display section-title">
        {title}
      </h2>
      <ol className="wallet-cards" role="list">
        {children}
      </ol>
    </section>
  );
}

function CardRow({ card, now }: { card: WalletCard; now: Date }) {
  const { publicId, card: name, facePence, leftPence, present, usedAt } = card;
  const tag = tagOf(card);
  const page = present
    ? href("/money/gift-cards/:card/gift", { card: publicId })
    : href("/money/gift-cards/:card", { card: publicId });
  return (
    <li className={`wallet-card${isUsable(card) ? "" : " is-over"}`}>
      <CardPicture slug={card.cardSlug} />
      <p className="wallet-card-head">
        <a href={page}>{name}</a>
        {tag && <span className={`tag ${tag.tone}`}>{tag.label}</span>}
      </p>
      <p className="display wallet-card-value">{formatPence(present || usedAt ? facePence : leftPence)}</p>
      <p className="wallet-card-facts">
        {present
          ? presentWords(present, now)
          : usedAt
            ? `Used, as you marked on ${dayAndMonth(usedAt, now)}.`
            : `${leftPence < facePence ? `Left of ${formatPence(facePence)}. ` : ""}${expiryWords(card)}`}
      </p>
    </li>
  );
}

function MakingRow({ card, now }: { card: CardInTheMaking; now: Date }) {
  return (
    <li className="wallet-card is-over">
      <CardPicture slug={card.cardSlug} />
      <p className="wallet-card-head">
        <b>{card.card}</b>
        <span className="tag">{card.isHeld ? "Being checked" : "Being made"}</span>
      </p>
      <p className="display wallet-card-value">{formatPence(card.facePence)}</p>
      <p className="wallet-card-facts">Paid on {dayAndMonth(card.paidAt, now)}. We write to you when it is here.</p>
    </li>
  );
}
