import { useId, useRef, useState } from "react";
import type { RetailerRow } from "./retailer-row.ts";
import { RetailerTile } from "../cards/retailer-tile.tsx";

/** Rows that are seen at first, at 3, 4, 6 and 7 columns; logo-grid.css hides the others by the same numbers. */
const leastBeyond = 12;

/**
 * Retailers' marks in 3, 4, 6 or 7 columns by width, in four or three rows until View more shows them all (product.md D7). Without script all are
 * there.
 */
export function LogoGrid({ retailers }: { retailers: RetailerRow[] }) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);

  function toggle() {
    setOpen(!isOpen);
    // The rows between vanish: whoever pressed the button stays with it.
    if (isOpen) requestAnimationFrame(() => button.current?.scrollIntoView({ block: "nearest" }));
  }

  return (
    <div className="logo-grid" data-open={isOpen ? "" : undefined}>
      <ul className="retailer-grid" role="list" id={id}>
        {retailers.map((retailer) => (
          <li key={retailer.slug}>
            <RetailerTile retailer={retailer} />
          </li>
        ))}
      </ul>
      {retailers.length > leastBeyond && (
        <p className="logo-grid-more needs-script" data-count={moreThan(retailers.length)}>
          <button
            ref={button}
            type="button"
            className="button is-quiet"
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={toggle}
          >
            {isOpen ? "View less" : "View more"}
          </button>
        </p>
      )}
    </div>
  );
}

/** For widths at which more fit than there are, the button has nothing to show: CSS takes it away by this. */
function moreThan(retailers: number): string {
  return [12, 18, 21].filter((fit) => retailers > fit).join(" ");
}
