import { findOfferRecord } from "@farthing/core/catalogue/offers/find-offer-record.server.ts";
import { issuePreview } from "@farthing/core/catalogue/offers/preview-token.ts";
import { redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import type { Route } from "./+types/offer-preview";

/** Leads to the brand's own page of the offer, as it will be once it is published. The link works for a quarter of an hour. */
export async function loader({ context, params: { id, brand: slug } }: Route.LoaderArgs) {
  const { db, previewKey, originOf, now } = context.get(servicesContext);
  const offer = await findOfferRecord(db, { publicId: id });
  const brand = offer?.shownBy.find((each) => each.slug === slug);
  if (!offer || !brand?.host)
    throw refused(404, { title: "No preview", text: "This brand does not show the offer, or there is no such offer." });
  const query = new URLSearchParams({
    offer: offer.publicId,
    preview: issuePreview({ key: previewKey, publicId: offer.publicId, now: now() }),
  });
  return redirect(`${originOf(brand.host)}/offers/${offer.slug}?${query}`, 303);
}
