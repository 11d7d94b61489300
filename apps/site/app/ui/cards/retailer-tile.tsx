import { FavouriteButton } from "../favourites/favourite-button.tsx";
import { RetailerMark } from "./retailer-mark.tsx";
import type { RetailerRow } from "../lists/retailer-row.ts";

/** A retailer as a mark, a name and a rate. The whole tile is one link, and the favourite button lies above it. */
export function RetailerTile({
  retailer,
  isCard = false,
}: {
  retailer: RetailerRow;
  /** Adds a surface around the tile, for carousels. */
  isCard?: boolean;
}) {
  return (
    <div className={isCard ? "retailer-tile is-card" : "retailer-tile"}>
      <RetailerMark slug={retailer.slug} size={64} />
      <a href={`/retailers/${retailer.slug}`}>{retailer.name}</a>
      <p>{retailer.line}</p>
      <FavouriteButton kind="retailer" id={retailer.slug} name={retailer.name} />
    </div>
  );
}

/** The logo grid: 3, 4, 6 or 7 columns by width (D7). */
export function RetailerGrid({ retailers }: { retailers: RetailerRow[] }) {
  return (
    <ul className="retailer-grid" role="list">
      {retailers.map((retailer) => (
        <li key={retailer.slug}>
          <RetailerTile retailer={retailer} />
        </li>
      ))}
    </ul>
  );
}
