import { useRouteLoaderData } from "react-router";
import type { RootData } from "../../root-data.ts";
import { JsonLd } from "../page-head/json-ld.tsx";
import { offerPath } from "../cards/offer-card.tsx";
import { listFacts } from "../page-head/page-facts.ts";

/** Structured data of the offers that a page lists, in their order (U3). */
export function ListFacts({
  name,
  offers,
}: {
  name: string;
  offers: readonly { title: string; headline: string; slug: string; publicId: string }[];
}) {
  const root = useRouteLoaderData("root") as RootData | undefined;
  if (!root || offers.length === 0) return null;
  const items = offers.map((offer) => ({ name: offer.headline || offer.title, path: offerPath(offer) }));
  return <JsonLd facts={listFacts(root.origin, name, items)} />;
}
