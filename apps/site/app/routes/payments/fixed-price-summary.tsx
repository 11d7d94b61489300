import { formatPence } from "@farthing/core/money/money.ts";
import type { PriceOnPage } from "./payment-progress.ts";

/** What is paid for, and its price, where the partner's server has fixed both: nobody types an amount. */
export function FixedPriceSummary({ price: { amountPence, reference, description } }: { price: PriceOnPage }) {
  return (
    <div className="price-summary">
      {description && <p className="price-description">{description}</p>}
      <p className="price-amount">{formatPence(amountPence)}</p>
      <p className="price-reference soft">Reference {reference}</p>
    </div>
  );
}
