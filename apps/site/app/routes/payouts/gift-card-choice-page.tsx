import {
  MAX_FOUND,
  listPopularCards,
  searchCards,
  type ListedCard,
} from "@farthing/core/gift-cards/catalogue.server.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { choicesWithin } from "@farthing/core/gift-cards/card-choices.ts";
import { href } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { soonAt } from "../../ui/text/british-dates.ts";
import { EmptyState } from "../../ui/text/empty-state.tsx";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { CardList, toCardRow } from "../portal/card-list.tsx";
import portalStylesheet from "../portal/portal.css?url";
import type { Route } from "./+types/gift-card-choice-page";
import { withdrawalToTake } from "./withdrawal-to-take.server.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: portalStylesheet }];

/** Maximum number of cards of a page. The search finds the others. */
const MAX_SHOWN = 24;
/** More than the catalogue has: cards that cost more than the balance are left out after they are read. */
const ALL = 1000;

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, view, now } = await withdrawalToTake(context);
  const { q: query } = readParameters(request, "/money/withdraw/gift-cards");
  const cards = query === "" ? await listPopularCards(db, { max: ALL }) : await searchCards(db, { query });
  const within = cards.flatMap((card) => {
    const amounts = choicesWithin(card, view.payablePence);
    return amounts ? [{ ...card, amounts } satisfies ListedCard] : [];
  });
  const shown = within.slice(0, query === "" ? MAX_SHOWN : MAX_FOUND);
  return {
    query,
    cards: shown.map((card) => toCardRow(card, { isMember: true })),
    count: within.length,
    payablePence: view.payablePence,
    from: view.giftCardsFrom,
    now,
  };
}

/** The gift cards that a member can take out of their cashback (C6). */
export default function GiftCardChoicePage({ loaderData }: Route.ComponentProps) {
  const { query, cards, count, payablePence, from, now } = loaderData;
  return (
    <ProfileShell
      current="money"
      parent={{ href: href("/money/withdraw"), label: "Withdraw" }}
      title="Take a gift card"
      lead={`You have ${formatPence(payablePence)}. These are the cards that it pays for; what is left stays yours.`}
    >
      {from ? (
        <Notice tone="info" title="Not yet, to protect you">
          <p>
            Your account was recovered a short time ago. You can take a gift card from {soonAt(from, now)} on. Your
            money stays yours.
          </p>
        </Notice>
      ) : (
        <div className="card-choice">
          <form role="search" className="card-search" method="get" action={href("/money/withdraw/gift-cards")}>
            <label htmlFor="card-search">Search gift cards</label>
            <div>
              <input id="card-search" type="search" name="q" defaultValue={query} maxLength={100} autoComplete="off" />
              <button type="submit" className="button is-quiet">
                Search
              </button>
            </div>
          </form>
          {cards.length === 0 ? (
            <EmptyState title={query === "" ? "No card that your balance pays for" : "We found none"}>
              <p>
                {query === ""
                  ? "The smallest card costs more than you have. Withdraw to your bank account, or wait for more cashback."
                  : "Check the spelling. Cards that cost more than you have are left out."}
              </p>
              <p className="button-row">
                <a
                  className="button"
                  href={query === "" ? href("/money/withdraw") : href("/money/withdraw/gift-cards")}
                >
                  {query === "" ? "Back to your withdrawals" : "See all cards"}
                </a>
              </p>
            </EmptyState>
          ) : (
            <>
              <p className="soft" role="status">
                {cards.length < count
                  ? `The most popular of ${count}. Search for the others.`
                  : count === 1
                    ? "1 card"
                    : `${count} cards`}
              </p>
              <CardList cards={cards} pathOf={(card) => href("/money/withdraw/gift-cards/:card", { card })} />
            </>
          )}
        </div>
      )}
    </ProfileShell>
  );
}
