import { type Brand, hasApp } from "@farthing/core/brands/brand.ts";
import type { OfferPage as OfferPageView } from "@farthing/core/catalogue/catalogue-view.ts";
import { isPreview } from "@farthing/core/catalogue/offers/preview-token.ts";
import { paysCashback } from "@farthing/core/catalogue/rates.ts";
import { findOfferPage } from "@farthing/core/catalogue/offers/queries.server.ts";
import { type CodeSwap, swapCode } from "@farthing/core/code-swaps/operations.server.ts";
import { swapReasonSchema } from "@farthing/core/code-swaps/schema.ts";
import { castVote } from "@farthing/core/votes/operations.server.ts";
import { findVotes } from "@farthing/core/votes/queries.server.ts";
import { voteOutcomeSchema } from "@farthing/core/votes/schema.ts";
import { qrPath } from "@farthing/ui/qr-code/qr-path.ts";
import { data, href, redirect, replace, type RouterContextProvider } from "react-router";
import { readParameters } from "../../../server/page-parameters.ts";
import { loginRedirect } from "../../login-redirect.ts";
import {
  answerHeadersContext,
  catalogueContext,
  privacyContext,
  servicesContext,
  visitContext,
} from "../../site-context.ts";
import { pagePath } from "../../ui/page-head/page-path.ts";
import { pageLink } from "../clicks/page-link.ts";
import type { OfferData } from "./offer-data.ts";
import { OfferArticle } from "./offer-article.tsx";
import { OfferNotFound } from "./offer-not-found.tsx";
import { REVEAL_BUTTON } from "./reveal-code.tsx";
import { type MemberReveal, revealFor, type RevealView } from "./reveal-for.server.ts";
import { YOUR_CODE } from "./revealed-code.tsx";
import type { RefusedSwap } from "./swap-code.tsx";
import type { Route } from "./+types/offer-page";

/**
 * `/offers/:slug?offer=ID[&offer_variant=ID][&reveal_code=TOKEN]` (O1). The id decides; a wrong slug redirects
 * permanently to the right one, with the variant but never with a token. An offer that is over answers 410, so that
 * search engines drop it. An offer that may come back (its retailer is paused), one for an app that the brand does not have,
 * and an unknown one answer 404. All these pages lead on. `preview` shows an offer that is not published yet, as operators' links do (A2).
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const catalogue = context.get(catalogueContext);
  const { db, now: clock, views, previewKey } = context.get(servicesContext);
  const { brand, member, origin, acting } = context.get(visitContext);
  const parameters = readParameters(request, "/offers/:slug");
  const { offer: publicId, offer_variant: asked, reveal_code: revealCode, preview } = parameters;
  const now = clock();
  const isShownEarly = publicId !== null && preview !== null && isPreview(preview, { key: previewKey, publicId, now });
  if (preview !== null) context.set(privacyContext, "secret");

  const offer =
    publicId === null
      ? null
      : isShownEarly
        ? await findOfferPage(db, { brandId: brand.id, now, publicId, isPreview: true })
        : await catalogue.findOfferPage({ brandId: brand.id, now, publicId });
  if (!offer) {
    const { featured } = await catalogue.findHomePage({ brandId: brand.id, now });
    return data({ found: false as const, now, popular: featured.slice(0, 4) }, 404);
  }

  const named = offer.variants.find(({ publicId: id }) => id === asked)?.publicId;
  const first = offer.variants[0]?.publicId ?? null;
  const ownPath = pagePath(href("/offers/:slug", { slug: offer.slug }), {
    offer: offer.publicId,
    offer_variant: asked && (named ?? first),
    preview: isShownEarly ? preview : null,
  });
  if (params.slug !== offer.slug) throw redirect(ownPath, { status: 301, headers: { "Cache-Control": "max-age=300" } });
  // The address carries a token (Y5).
  if (revealCode !== null) context.set(privacyContext, "secret");

  // A prefetch or a HEAD request must not spend the token.
  const isForReal = request.method === "GET" && !request.headers.get("Sec-Purpose")?.includes("prefetch");
  const token = isForReal ? revealCode : null;
  if (token !== null && !member) throw replace(pagePath(href("/login"), { next: `${ownPath}#${REVEAL_BUTTON}` }));
  const isForUs = offer.kind !== "app_exclusive" || hasApp(brand);
  const isLive = isForUs && offer.state === "live";
  const reveal = isLive ? await revealFor(context, { offer, variant: named ?? first, token }) : null;
  const variant = named ?? lastRevealed(reveal, offer) ?? first;
  const votes =
    isLive && member && offer.code ? await findVotes(db, { memberId: member.id, offerId: offer.id, now }) : [];
  if (isForReal && isLive && member && !acting && !isShownEarly)
    views?.record({ memberId: member.id, offerId: offer.id, now });
  if (isTooMany(reveal))
    context.get(answerHeadersContext).set("Retry-After", secondsUntil(reveal.nextRevealAt ?? now, now));
  return data<OfferData>(
    {
      found: true,
      offer: withoutId(offer),
      isForUs,
      variant,
      reveal,
      votes,
      refusedSwap: null,
      app: isLive && offer.kind === "app_exclusive" ? appFor(brand, origin, offer.publicId) : null,
      // Checked is where there is cashback to lose (deal-link.tsx).
      pageLink:
        isLive && member !== null && offer.dealLink !== null && paysCashback(offer.rates)
          ? pageLink(origin, pagePath(href("/offers/:slug", { slug: offer.slug }), { offer: offer.publicId }))
          : null,
      sellsGiftCards: brand.features.giftCards,
      ownPath,
      now,
      isSignedIn: member !== null,
      pageVariables: { OFFER_ID: offer.publicId },
      brandName: brand.name,
    },
    isTooMany(reveal) ? 429 : statusOf(offer, isForUs),
  );
}

/** Returns the variant whose code the member revealed last: a member who comes back finds their code. */
function lastRevealed(reveal: RevealView | null, { variants }: Pick<OfferPageView, "variants">): string | null {
  const seen = reveal?.state === "member" ? reveal.seen : [];
  const current = seen.filter(
    ({ isCurrent, variant }) => isCurrent && variants.some(({ publicId }) => publicId === variant),
  );
  return current.toSorted((one, other) => other.revealedAt.getTime() - one.revealedAt.getTime())[0]?.variant ?? null;
}

/**
 * "Did it work?" (O4): `vote` of the member who was shown the code; or `swap`, why they want another in place of their `code`.
 * A form is sent back here; a script that votes, which asks for JSON, is answered 204.
 */
export async function action({ context, params, request }: Route.ActionArgs) {
  const { db, now } = context.get(servicesContext);
  const { brand, member } = context.get(visitContext);
  const { offer: offerId, offer_variant: variantPublicId } = readParameters(request, "/offers/:slug");
  const form = await request.formData();
  const ownPath = pagePath(href("/offers/:slug", { slug: params.slug }), {
    offer: offerId,
    offer_variant: variantPublicId,
  });
  if (!member) throw loginRedirect(request, ownPath);
  if (offerId === null) return data(null, 400);
  const whose = { brandId: brand.id, memberId: member.id, offerPublicId: offerId, variantPublicId, now: now() };
  if (form.has("swap")) return await swap(context, { ...whose, sessionId: member.sessionId, form, ownPath });
  const outcome = voteOutcomeSchema.parse(form.get("vote"));
  if (outcome === null) return data(null, 400);
  const result = await castVote(db, { ...whose, outcome });
  if (result === "not-revealed") return data(null, 409);
  if (request.headers.get("Accept") === "application/json") return data(null, 204);
  throw redirect(`${ownPath}#did-it-work`, 303);
}

/** Swaps the member's code, and leads to the new one; else says why not, beside the form. */
async function swap(
  context: Readonly<RouterContextProvider>,
  { form, ownPath, ...whose }: Omit<CodeSwap, "code" | "reason"> & { form: FormData; ownPath: string },
) {
  const { db } = context.get(servicesContext);
  const reason = swapReasonSchema.parse(form.get("swap"));
  const code = String(form.get("code"));
  const refuse = (why: RefusedSwap["why"], status: number) => data<RefusedSwap>({ code, reason, why }, status);
  if (reason === null) return refuse({ outcome: "no-reason" }, 422);
  const result = await swapCode(db, { ...whose, code, reason });
  if (result.outcome === "swapped") throw redirect(`${ownPath}#${YOUR_CODE}`, 303);
  return refuse(result, result.outcome === "too-many" ? 429 : 409);
}

/** Returns whether the reveal is beyond the limit. The page is the offer's, and programs are told how long to wait. */
function isTooMany(reveal: RevealView | null): reveal is MemberReveal {
  return reveal?.state === "member" && reveal.answer === "too-many";
}

function secondsUntil(moment: Date, now: Date): string {
  return String(Math.max(1, Math.ceil((moment.getTime() - now.getTime()) / 1_000)));
}

/**
 * Returns where the app can be downloaded, with a QR code that takes a phone there; null where the brand has no app.
 */
function appFor(brand: Brand, origin: string, publicId: string) {
  if (!hasApp(brand)) return null;
  return { storeLinks: brand.storeLinks, qr: qrPath(`${origin}/go/app/${publicId}`) };
}

/** Internal ids do not leave the server. */
function withoutId(offer: OfferPageView): Omit<OfferPageView, "id"> {
  const { id: _id, ...shown } = offer;
  return shown;
}

function statusOf({ state, retailer }: OfferPageView, isForUs: boolean): number {
  if (state === "expired") return 410;
  if (state === "withdrawn") return retailer.status === "paused" ? 404 : 410;
  return isForUs ? 200 : 404;
}

export default function OfferPage({ loaderData, actionData }: Route.ComponentProps) {
  return loaderData.found ? (
    <OfferArticle data={{ ...loaderData, refusedSwap: actionData ?? null }} />
  ) : (
    <OfferNotFound popular={loaderData.popular} now={loaderData.now} />
  );
}
