import type { KeptOffer } from "@farthing/core/favourites/queries.server.ts";
import { href } from "react-router";
import { FavouriteButton } from "../../ui/favourites/favourite-button.tsx";

/**
 * Favourites that can no longer be used. They stay until the member removes them, so that none disappears
 * without explanation.
 */
export function OverOffers({ offers }: { offers: KeptOffer[] }) {
  return (
    <>
      <h3 className="display kept-over">No longer on</h3>
      <ul className="kept-list" role="list">
        {offers.map(({ publicId, title, retailer }) => (
          <li key={publicId}>
            <p>
              {title}
              <a href={href("/retailers/:slug", { slug: retailer.slug })}>What {retailer.name} has on now</a>
            </p>
            <FavouriteButton kind="offer" id={publicId} name={`${title}, ${retailer.name}`} hasWords />
          </li>
        ))}
      </ul>
    </>
  );
}
