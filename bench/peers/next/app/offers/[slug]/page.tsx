import { findOfferPage } from "@farthing/core/catalogue/queries-offers.server.ts";
import { notFound } from "next/navigation";
import { OfferArticle } from "../../../client-parts.tsx";
import { db, findVisit } from "../../../visit.ts";

export default async function Page({ searchParams }: { searchParams: Promise<{ offer?: string }> }) {
  const { offer: publicId = "" } = await searchParams;
  const { brand, member, now } = await findVisit();
  const found = await findOfferPage(db, { brandId: brand.id, now, publicId });
  if (!found) notFound();
  const { id: _, ...offer } = found;
  const data = {
    found: true as const,
    offer,
    variant: offer.variants[0]?.publicId ?? null,
    reveal: offer.code ? ({ state: "sign-in" } as const) : null,
    ownPath: `/offers/${offer.slug}?offer=${offer.publicId}`,
    now,
    isSignedIn: member !== null,
    brandName: brand.name,
    memberName: member ? member.name : null,
    storeLinks: brand.storeLinks,
  };
  return <OfferArticle data={data as never} />;
}
