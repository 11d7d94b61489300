import type { TrackingFacts } from "@farthing/core/catalogue/catalogue-view.ts";
import { confirmsInWords, tracksInWords } from "./arrival-words.ts";

/**
 * When cashback arrives, as a line from the purchase to the payment. All steps but the purchase are expected, so they
 * are dashed (D3).
 */
export function ArrivalSteps({ tracking }: { tracking: TrackingFacts }) {
  const trip = { purchase: "Buy", travel: "Book", stay: "Book" }[tracking.confirmsAfter];
  return (
    <ol className="arrival-steps" role="list">
      <li>
        <b>{trip}</b>
        <span>today, in one go from our link</span>
      </li>
      <li className="is-expected">
        <b>Shows in your account</b>
        <span>{tracksInWords(tracking)}</span>
      </li>
      <li className="is-expected">
        <b>Confirmed by the shop</b>
        <span>{confirmsInWords(tracking)}</span>
      </li>
      <li className="is-expected">
        <b>Yours</b>
        <span>once the shop has paid us</span>
      </li>
    </ol>
  );
}
