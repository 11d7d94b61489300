import type { ClaimsPanel } from "@farthing/core/claims/queries.server.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";
import { Notice } from "../../ui/text/notice.tsx";
import { pagePath } from "../../ui/page-head/page-path.ts";

/** Visits of which a shop's network told us of a purchase and then reported none: did the member buy something? */
export function Proposals({ proposals, now }: { proposals: ClaimsPanel["proposals"]; now: Date }) {
  return proposals.map(({ clickNumber, clickedAt, retailer }) => (
    <Notice key={clickNumber} tone="info" title={`Did you buy something at ${retailer.name}?`}>
      <p>
        We were told of a purchase after your visit on {dayAndMonth(clickedAt, now)}, and then nothing more. If it was
        yours, tell us the order number.
      </p>
      <div className="button-row claim-actions">
        <a className="button is-quiet" href={pagePath("/money/claims/new", { click: clickNumber })}>
          Yes, claim it<span className="visually-hidden"> from {retailer.name}</span>
        </a>
        <form method="post" action="/money/claims">
          <input type="hidden" name="click" value={clickNumber} />
          <button type="submit" className="link-button">
            No, I bought nothing<span className="visually-hidden"> at {retailer.name}</span>
          </button>
        </form>
      </div>
    </Notice>
  ));
}
