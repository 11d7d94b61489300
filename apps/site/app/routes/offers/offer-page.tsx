import type { OfferPage as OfferPageView } from "@farthing/core/catalogue/catalogue-view.ts";
import { offerIdSchema, variantIdSchema } from "@farthing/core/catalogue/schema.ts";
import { data, redirect, replace } from "react-router";
import { pageHandle } from "../../page-handle.ts";
import { catalogueContext, servicesContext, visitContext } from "../../site-context.ts";
import { privatePage, secretPage } from "../../site-headers.ts";
import { pagePath } from "../../ui/page-path.ts";
import { OfferArticle } from "./offer-article.tsx";
import { OfferNotFound } from "./offer-not-found.tsx";
import { revealFor } from "./reveal-for.server.ts";
import type { Route } from "./+types/offer-page";

export const handle = pageHandle("offers", "show");

/**
 * `/offers/:slug?offer=ID[&offer_variant=ID][&reveal_code=TOKEN]` (product.md O1). The id decides; a wrong slug goes to the right one for
 * good, with the variant but never with a token. What is over answers 410, so that search engines forget it; what may come back (its
 * retailer is paused) and what never was answer 404. All three lead on.
 */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const catalogue = context.get(catalogueContext);
  const { now: clock } = context.get(servicesContext);
  const visit = context.get(visitContext);
  const { brand, member } = visit;
  const { searchParams } = new URL(request.url);
  const now = clock();

  const publicId = offerIdSchema.parse(searchParams.get("offer"));
  const offer = publicId === null ? null : await catalogue.findOfferPage({ brandId: brand.id, now, publicId });
  if (!offer) {
    const { featured } = await catalogue.findHomePage({ brandId: brand.id, now });
    return data({ found: false as const, now, popular: featured.slice(0, 4) }, { status: 404 });
  }

  const asked = variantIdSchema.parse(searchParams.get("offer_variant"));
  const variant =
    offer.variants.find(({ publicId: id }) => id === asked)?.publicId ?? offer.variants[0]?.publicId ?? null;
  const ownPath = pagePath(`/offers/${offer.slug}`, { offer: offer.publicId, offer_variant: asked && variant });
  if (params.slug !== offer.slug) throw redirect(ownPath, { status: 301, headers: { "Cache-Control": "max-age=300" } });

  // A browser that only looks ahead, or asks for the headers, must not spend the token.
  const isForReal = request.method === "GET" && !request.headers.get("Sec-Purpose")?.includes("prefetch");
  const token = isForReal ? searchParams.get("reveal_code") : null;
  if (token !== null && !member) throw replace(pagePath("/login", { next: ownPath }), { headers: secretPage });
  const reveal = offer.state === "live" ? await revealFor(context, { offer, variant, token }) : null;
  return data(
    {
      found: true as const,
      offer: withoutId(offer),
      variant,
      reveal,
      ownPath,
      now,
      isSignedIn: member !== null,
      brandName: brand.name,
      memberName: member?.name ?? null,
      storeLinks: brand.storeLinks,
    },
    { status: statusOf(offer), headers: searchParams.has("reveal_code") ? secretPage : member ? privatePage : {} },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

/** Internal ids stay inside. */
function withoutId(offer: OfferPageView): Omit<OfferPageView, "id"> {
  const { id: _id, ...shown } = offer;
  return shown;
}

function statusOf({ state, retailer }: OfferPageView): number {
  if (state === "expired") return 410;
  if (state === "withdrawn") return retailer.status === "paused" ? 404 : 410;
  return 200;
}

export type OfferData = Extract<Route.ComponentProps["loaderData"], { found: true }>;

export default function OfferPage({ loaderData }: Route.ComponentProps) {
  return loaderData.found ? (
    <OfferArticle data={loaderData} />
  ) : (
    <OfferNotFound popular={loaderData.popular} now={loaderData.now} />
  );
}
