import { useId } from "react";
import type { RetailerRow } from "./retailer-row.ts";
import { RetailerTile } from "../cards/retailer-tile.tsx";

/**
 * The maximum number of retailers that are visible at first at any width. logo-grid.css hides the other rows by the same numbers.
 */
const MAX_AT_FIRST = 12;

/**
 * Retailers' marks in 3, 4, 6 or 7 columns by width, in three or four rows until View more shows them all (D7):
 * logo-grid.behaviour.ts. Without script all are shown.
 */
export function LogoGrid({ retailers }: { retailers: RetailerRow[] }) {
  const id = useId();
  return (
    <div className="logo-grid">
      <ul className="retailer-grid" role="list" id={id}>
        {retailers.map((retailer) => (
          <li key={retailer.slug}>
            <RetailerTile retailer={retailer} />
          </li>
        ))}
      </ul>
      {retailers.length > MAX_AT_FIRST && (
        <p className="logo-grid-more needs-script" data-count={moreThan(retailers.length)}>
          <button type="button" className="button is-quiet" aria-expanded={false} aria-controls={id}>
            View more
          </button>
        </p>
      )}
    </div>
  );
}

/** Returns the capacities (by width) that the retailers exceed. Where all fit, CSS hides the button by this. */
function moreThan(retailers: number): string {
  return [12, 18, 21].filter((fit) => retailers > fit).join(" ");
}
