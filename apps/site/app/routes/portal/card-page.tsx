import { addToBasket } from "@farthing/core/gift-cards/basket.server.ts";
import { findCard } from "@farthing/core/gift-cards/catalogue.server.ts";
import { formatPounds, parsePounds } from "@farthing/core/money/money.ts";
import { data, redirect, useRouteLoaderData } from "react-router";
import { formKey } from "../../../server/form-key.ts";
import { LoadingButton } from "../../ui/forms/loading-button.tsx";
import { possessive } from "../../ui/text/possessive.ts";
import type { RootData } from "../../root-data.ts";
import { field } from "../sign-in/form-field.ts";
import type { Route } from "./+types/card-page";
import { AmountField } from "./amount-field.tsx";
import { CardPicture } from "./card-list.tsx";
import { PortalError, portalLinks, PortalShell } from "./portal-shell.tsx";
import {
  basketProblem,
  exampleValue,
  expiryInWords,
  notSoldInWords,
  rewardInWords,
  whereInWords,
} from "./portal-words.ts";
import { portalFrame, portalVisit } from "./portal.server.ts";

export const links = portalLinks;

export async function loader({ context, params }: Route.LoaderArgs) {
  const visit = portalVisit(context);
  const [frame, card] = await Promise.all([
    portalFrame(visit),
    findCard(visit.db, { slug: params.slug.slice(0, 100) }),
  ]);
  if (!card) throw data(null, 404);
  return { frame, card, isMember: visit.member !== null, addKey: crypto.randomUUID() };
}

/** Puts the card into the basket. What was typed comes back with what is wrong about it. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db, sessionId } = portalVisit(context);
  const { slug } = params;
  const form = await request.formData();
  const typed = field(form, "value", 20);
  const facePence = parsePounds(typed);
  const answer =
    facePence === null
      ? "amount-not-offered"
      : await addToBasket(db, { sessionId, slug: slug.slice(0, 100), facePence, idempotencyKey: formKey(form) });
  if (answer === "done") throw redirect("/portal/basket?note=added", 303);
  return data({ typed, answer }, 422);
}

export default function CardPage({ loaderData, actionData }: Route.ComponentProps) {
  const { frame, card, isMember, addKey } = loaderData;
  const root = useRouteLoaderData("root") as RootData | undefined;
  const { slug, name, amounts, category, retailerSlug, feePence } = card;
  const reward = rewardInWords(card, amounts, { isMember });
  const problem = actionData ? basketProblem(actionData.answer, amounts) : null;
  const isAboutAmount = actionData?.answer === "amount-not-offered" || actionData?.answer === "card-too-large";
  return (
    <PortalShell title={`${name} gift card`} frame={frame}>
      <p className="portal-back">
        <a href={category ? `/portal/categories/${category.slug}` : "/portal"}>{category?.name ?? "All gift cards"}</a>
      </p>
      <article className="portal-detail">
        <CardPicture slug={slug} isEager />
        <div className="portal-buy">
          <h1 className="display page-title">{name} gift card</h1>
          <p className="portal-offer">{reward.long}</p>
          {!isMember && card.rewardKind === "cashback" && card.rewardBp > 0 && (
            <p className="soft">Members of the club get cashback on this card.</p>
          )}
          {feePence > 0 && <p>Each card has a fee of {formatPounds(feePence)}.</p>}
          {problem && !isAboutAmount && (
            <p className="notice is-bad" role="alert">
              {problem}
            </p>
          )}
          {card.isSold ? (
            <form method="post" className="portal-form">
              <input type="hidden" name="key" value={addKey} />
              <AmountField
                amounts={amounts}
                id="value"
                chosen={exampleValue(amounts)}
                typed={actionData?.typed}
                error={isAboutAmount && problem ? problem : undefined}
              />
              <LoadingButton className="is-large is-wide">Add to basket</LoadingButton>
            </form>
          ) : (
            <p className="notice is-warn">{notSoldInWords(card.retailerTrouble)} Choose another one.</p>
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
              <dd>As a code on this page, seconds after you pay</dd>
            </div>
          </dl>
          <h2 className="display portal-heading">{possessive(name)} terms</h2>
          <p className="portal-terms">{card.terms}</p>
          {retailerSlug && root && (
            <p>
              <a href={`${root.origin}/retailers/${retailerSlug}`} target="_blank" rel="noopener" data-opens-outside>
                More about {name}
                <span className="visually-hidden"> (opens in a new tab)</span>
              </a>
            </p>
          )}
        </div>
      </article>
    </PortalShell>
  );
}

export const ErrorBoundary = PortalError;
