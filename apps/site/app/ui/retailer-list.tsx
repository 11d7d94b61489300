import type { RetailerCard } from "@farthing/core/catalogue/catalogue-view.ts";
import { summariseRates } from "@farthing/core/catalogue/rate-wording.ts";
import { RetailerMark } from "./retailer-mark.tsx";
import { offerCount } from "./retailer-tile.tsx";

/** What a row needs of a retailer: a page with hundreds of them sends no more than that. */
export interface RetailerRow {
  slug: string;
  name: string;
  /** What it pays, in words, or how many offers it has. */
  line: string;
}

export function toRetailerRow({ slug, name, liveOffers, ...rates }: RetailerCard): RetailerRow {
  return { slug, name, line: summariseRates(rates) ?? offerCount(liveOffers) };
}

/** Retailers as rows of mark, name and rate, in as many columns as fit. */
export function RetailerList({ retailers }: { retailers: RetailerRow[] }) {
  return (
    <ul className="retailer-list" role="list">
      {retailers.map(({ slug, name, line }) => (
        <li key={slug}>
          <RetailerMark slug={slug} size={40} />
          <p>
            <a href={`/retailers/${slug}`}>{name}</a>
            <small className="soft">{line}</small>
          </p>
        </li>
      ))}
    </ul>
  );
}
