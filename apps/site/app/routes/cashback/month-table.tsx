import type { MoneyView } from "@farthing/core/cashback/cashback-view.ts";
import { formatPence } from "@farthing/core/money/money.ts";
import { monthAndYear } from "../../ui/text/british-dates.ts";

/** What the purchases of each month amount to today. On a phone each month is a block of its own, whose amounts have their names. */
export function MonthTable({ months }: { months: MoneyView["months"] }) {
  return (
    <div className="month-table" role="region" aria-label="Table of months" tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Bought in</th>
            <th scope="col">Purchases</th>
            <th scope="col">On its way</th>
            <th scope="col">Yours</th>
            <th scope="col">Paid out</th>
            <th scope="col">Declined</th>
          </tr>
        </thead>
        <tbody>
          {months.map((one) => (
            <tr key={one.month.toISOString()}>
              <th scope="row">{monthAndYear(one.month)}</th>
              <td className="figures" data-name="Purchases">
                {one.purchases}
              </td>
              <td className="figures is-coming" data-name="On its way">
                <Sum pence={one.comingPence} />
              </td>
              <td className="figures" data-name="Yours">
                <Sum pence={one.yoursPence} />
              </td>
              <td className="figures" data-name="Paid out">
                <Sum pence={one.paidPence} />
              </td>
              <td className="figures soft" data-name="Declined">
                <Sum pence={one.declinedPence} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A dash for nothing keeps the columns readable; screen readers hear the amount. */
function Sum({ pence }: { pence: number }) {
  if (pence !== 0) return formatPence(pence);
  return (
    <>
      <span aria-hidden="true" className="soft">
        –
      </span>
      <span className="visually-hidden">{formatPence(0)}</span>
    </>
  );
}
