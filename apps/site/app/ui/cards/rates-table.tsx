import type { RateView } from "@farthing/core/catalogue/catalogue-view.ts";
import { describeCap, describeUsual, formatAmount } from "@farthing/core/catalogue/rate-wording.ts";
import { FOREIGN_CURRENCY_WORDS, rateExample } from "@farthing/core/catalogue/rate-card.ts";
import { rateValue } from "@farthing/core/catalogue/rates.ts";
import { namedEnd } from "@farthing/core/catalogue/london-time.ts";
import { dayAndMonth } from "../text/british-dates.ts";
import { workedExample } from "./rate-example.ts";

/** The rates of a retailer: what each is paid for, on which part of the price, with a worked example (O7). */
export function RatesTable({ rates, now }: { rates: RateView[]; now: Date }) {
  return (
    <>
      <div className="rates-table" role="region" aria-label="Cashback rates" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">What you buy</th>
              <th scope="col" className="is-amount">
                Cashback
              </th>
              <th scope="col">For example</th>
            </tr>
          </thead>
          <tbody>
            {rates.map((rate) => (
              <tr key={rate.label}>
                <th scope="row">
                  {rate.label}
                  <small>{[worked(rate), describeCap(rate)].filter(Boolean).join(", ")}</small>
                </th>
                <td className="is-amount figures">
                  <b>{rateValue(rate) === 0 ? "None" : formatAmount(rate)}</b>
                  {rate.boostedUntil && (
                    <small>
                      <span className="tag is-accent">Boost</span> {describeUsual(rate)}, until{" "}
                      {dayAndMonth(namedEnd(rate.boostedUntil), now)}
                    </small>
                  )}
                </td>
                <td>
                  {workedExample(rate)}
                  {rate.kind === "percent" && rateValue(rate) > 0 && (
                    <small className="figures">{rateExample(rate)}</small>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="soft rates-foreign">{FOREIGN_CURRENCY_WORDS}</p>
    </>
  );
}

function worked(rate: RateView): string | null {
  return rateValue(rate) === 0 || rate.kind === "fixed" ? null : `worked out ${rate.basis}`;
}
