import type { RetailerCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { summariseRates } from "@farthing/core/catalogue/rate-wording.ts";
import { FavouriteButton } from "./favourite-button.tsx";
import { RetailerMark } from "./retailer-mark.tsx";

/** A retailer as a mark, a name and what it pays; the whole tile is one link. */
export function RetailerTile({ retailer }: { retailer: RetailerCard }) {
  const rates = summariseRates(retailer);
  return (
    <li className="retailer-tile">
      <RetailerMark slug={retailer.slug} size={64} />
      <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a>
      <p>{rates ?? offerCount(retailer.liveOffers)}</p>
      <FavouriteButton kind="retailer" id={retailer.slug} name={retailer.name} />
    </li>
  );
}

export function offerCount(offers: number): string {
  return offers === 0 ? "No offers just now" : offers === 1 ? "1 offer" : `${offers} offers`;
}

/** The logo grid: 3, 4, 6 or 7 columns by width (product.md D7). */
export function RetailerGrid({ retailers }: { retailers: RetailerCard[] }) {
  return (
    <ul className="retailer-grid" role="list">
      {retailers.map((retailer) => (
        <RetailerTile key={retailer.slug} retailer={retailer} />
      ))}
    </ul>
  );
}
