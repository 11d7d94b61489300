import type { GoodwillItem } from "@farthing/core/goodwill/find-goodwill.server.ts";
import { GOODWILL_REASONS } from "@farthing/core/goodwill/rules.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { dayAndMonth } from "../../ui/text/british-dates.ts";

/** What the club has credited beside cashback, and what it has taken back (C7). */
export function Credits({ credits, now }: { credits: GoodwillItem[]; now: Date }) {
  return (
    <section aria-labelledby="credits">
      <h2 id="credits" className="display section-title">
        From us
      </h2>
      <ul className="money-credits" role="list">
        {credits.map(({ amountPence, reason, givenAt, reversedAt }) => (
          <li key={`${givenAt.toISOString()} ${reason} ${amountPence}`}>
            <p>
              {GOODWILL_REASONS[reason]}
              <small className="soft">
                {reversedAt
                  ? `Credited ${dayAndMonth(givenAt, now)}, taken back ${dayAndMonth(reversedAt, now)}`
                  : `In what is yours since ${dayAndMonth(givenAt, now)}`}
              </small>
            </p>
            <span className="figures">{reversedAt ? <s>{formatPence(amountPence)}</s> : formatPence(amountPence)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
