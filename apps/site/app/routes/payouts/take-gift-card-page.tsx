import { randomUUID } from "node:crypto";
import { findCard } from "@farthing/core/gift-cards/catalogue.server.ts";
import { isOffered } from "@farthing/core/gift-cards/rules.ts";
import { decimalPounds, formatPence, formatPounds, parsePounds } from "@farthing/core/money/money.ts";
import { choicesWithin, costOf } from "@farthing/core/gift-cards/card-choices.ts";
import { requestGiftCard } from "@farthing/core/gift-cards/take-cashback.server.ts";
import { data, href, redirect } from "react-router";
import { possessive } from "../../ui/text/possessive.ts";
import { readParameters } from "../../../server/page-parameters.ts";
import { memberContext, servicesContext, visitContext } from "../../site-context.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { ProfileShell } from "../members/profile-shell.tsx";
import { AmountField } from "../portal/amount-field.tsx";
import { CardPicture } from "../portal/card-list.tsx";
import portalStylesheet from "../portal/portal.css?url";
import {
  basketProblem,
  exampleValue,
  expiryInWords,
  notSoldInWords,
  rewardInWords,
  whereInWords,
} from "../portal/portal-words.ts";
import { field } from "../sign-in/form-field.ts";
import { provedMemberOf } from "../sign-in/security-guard.ts";
import type { Route } from "./+types/take-gift-card-page";
import { takingProblem } from "./taking-problem.ts";
import { withdrawalToTake } from "./withdrawal-to-take.server.ts";

export const links: Route.LinksFunction = () => [{ rel: "stylesheet", href: portalStylesheet }];

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const { db, view } = await withdrawalToTake(context);
  if (view.giftCardsFrom) throw redirect(href("/money/withdraw/gift-cards"), 303);
  const card = await findCard(db, { slug: params.card.slice(0, 100) });
  if (!card) throw data(null, 404);
  const { payablePence } = view;
  const choices = card.isSold ? choicesWithin(card, payablePence) : null;
  const { value: typed, note } = readParameters(request, "/money/withdraw/gift-cards/:card");
  const facePence = typed === null ? null : parsePounds(typed);
  const isChosen = choices !== null && facePence !== null && isOffered(choices, facePence);
  return {
    card,
    choices,
    payablePence,
    typed,
    isNotSaved: note !== null,
    // The same card is asked for once, however often its form is sent.
    chosen: isChosen ? { facePence, costPence: costOf(card, facePence), key: randomUUID() } : null,
  };
}

/** Takes the card. The member proves who they are first, as before a withdrawal to a bank. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const form = await request.formData();
  const [typed, shown, idempotencyKey] = [field(form, "value", 20), field(form, "shown", 20), field(form, "key", 60)];
  const path = href("/money/withdraw/gift-cards/:card", params);
  provedMemberOf(context, pagePath(path, { value: typed }), "change");
  const member = context.get(memberContext);
  const { db, now, giftCards } = context.get(servicesContext);
  const card = await findCard(db, { slug: params.card.slice(0, 100) });
  if (!card) throw data(null, 404);
  const [facePence, shownPence] = [parsePounds(typed), parsePounds(shown)];
  if (facePence === null || shownPence === null || !/^[\w-]{8,60}$/.test(idempotencyKey)) throw data(null, 400);
  const asked = await requestGiftCard(db, giftCards, {
    ...{ brandId: context.get(visitContext).brand.id, memberId: member.id, sessionId: member.sessionId },
    ...{ productPublicId: card.publicId, facePence, shownPence, idempotencyKey, now: now() },
  });
  if (asked.outcome === "requested") throw redirect(`${href("/money/withdraw")}?note=card`, 303);
  return data({ problem: takingProblem(asked, card.name) }, 422);
}

/** A gift card to take out of cashback: its value first, then what it costs, then the button (C6). */
export default function TakeGiftCardPage({ loaderData, actionData }: Route.ComponentProps) {
  const { card, choices, payablePence, typed, chosen, isNotSaved } = loaderData;
  const { slug, name, feePence } = card;
  const problem = choices && typed !== null && !chosen ? basketProblem("amount-not-offered", choices) : null;
  return (
    <ProfileShell
      current="money"
      parent={{ href: href("/money/withdraw/gift-cards"), label: "Gift cards" }}
      title={`${name} gift card`}
      isNotSaved={isNotSaved && !actionData}
    >
      <div className="card-choice">
        <article className="portal-detail">
          <CardPicture slug={slug} isEager />
          <div className="portal-buy">
            {actionData && (
              <Notice tone="bad" isUrgent title="Nothing was taken">
                <p>{actionData.problem}</p>
              </Notice>
            )}
            {choices === null ? (
              <p className="notice is-warn">
                {card.isSold
                  ? `Your ${formatPence(payablePence)} does not pay for this card. `
                  : `${notSoldInWords(card.retailerTrouble)} `}
                <a href={href("/money/withdraw/gift-cards")}>Choose another one</a>
              </p>
            ) : chosen ? (
              <Confirmation {...{ name, slug, chosen, payablePence }} />
            ) : (
              <>
                <p className="portal-offer">{rewardInWords(card, choices, { isMember: true }).long}</p>
                {feePence > 0 && <p>Each card has a fee of {formatPounds(feePence)}.</p>}
                <form method="get" className="portal-form">
                  <AmountField
                    amounts={choices}
                    id="value"
                    chosen={exampleValue(choices)}
                    typed={typed ?? undefined}
                    error={problem ?? undefined}
                  />
                  <button type="submit" className="button is-large is-wide">
                    Continue
                  </button>
                </form>
                <p className="soft">You have {formatPence(payablePence)}. Nothing is taken yet.</p>
              </>
            )}
          </div>
          <div className="portal-facts">
            <dl>
              <div>
                <dt>Spend it</dt>
                <dd>{whereInWords(card.redeemableAt)}</dd>
              </div>
              <div>
                <dt>How long</dt>
                <dd>{expiryInWords(card.expiresAfterMonths)}</dd>
              </div>
              <div>
                <dt>You get it</dt>
                <dd>In your gift cards, usually within seconds</dd>
              </div>
            </dl>
            <h2 className="display portal-heading">{possessive(name)} terms</h2>
            <p className="portal-terms">{card.terms}</p>
          </div>
        </article>
      </div>
    </ProfileShell>
  );
}

function Confirmation({
  name,
  slug,
  chosen: { facePence, costPence, key },
  payablePence,
}: {
  name: string;
  slug: string;
  chosen: { facePence: number; costPence: number; key: string };
  payablePence: number;
}) {
  const path = href("/money/withdraw/gift-cards/:card", { card: slug });
  return (
    <>
      <dl className="take-sum">
        <div>
          <dt>{name}, to spend</dt>
          <dd>{formatPence(facePence)}</dd>
        </div>
        <div>
          <dt>Out of your {formatPence(payablePence)}</dt>
          <dd>{formatPence(costPence)}</dd>
        </div>
        <div>
          <dt>Stays yours</dt>
          <dd>{formatPence(payablePence - costPence)}</dd>
        </div>
      </dl>
      <form method="post" action={pagePath(path, { value: decimalPounds(facePence) })} className="portal-form">
        <input type="hidden" name="value" value={decimalPounds(facePence)} />
        <input type="hidden" name="shown" value={decimalPounds(costPence)} />
        <input type="hidden" name="key" value={key} />
        <LoadingButton className="is-large is-wide">
          Take the {formatPounds(facePence)} card for {formatPence(costPence)}
        </LoadingButton>
      </form>
      <p className="soft">
        It can’t be turned back into money once it is made. If it can’t be made, the money goes back to your balance. We
        may ask for your password first.
      </p>
      <p>
        <a href={path}>Choose another value</a>
      </p>
    </>
  );
}
