import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import type { CurrencySort, ListedCurrency } from "@farthing/core/networks/exchange-rates.server.ts";
import { decimalRate } from "@farthing/core/networks/exchange-rates.ts";
import type { List } from "../../kit/list.ts";
import { Moment } from "../../kit/moment.tsx";

const PATH = "/admin/networks/exchange-rates";
const dayOf = (moment: Date) => toLondon(moment).slice(0, 10);

/** Foreign currencies with the rate that holds, as a list. Names come from the server: browsers know others. */
export function currencyListing(names: Readonly<Record<string, string>>): List<ListedCurrency, CurrencySort> {
  return {
    name: "exchange-rates",
    path: PATH,
    csvPath: `${PATH}.csv`,
    rows: "currencies",
    sorts: ["currency", "since", "waiting"],
    defaultSort: "-waiting",
    keyOf: ({ currency }) => currency,
    nameOf: ({ currency }) => currency,
    filters: [],
    columns: [
      {
        key: "currency",
        label: "Currency",
        sort: "currency",
        cell: ({ currency }) =>
          names[currency] === undefined ? (
            <>
              {currency} <span className="soft">no currency of ISO 4217: ask the network</span>
            </>
          ) : (
            <a href={`${PATH}?currency=${currency}#rate-of`}>
              {currency} <span className="soft">{names[currency]}</span>
            </a>
          ),
        csv: ({ currency }) => currency,
      },
      {
        key: "waiting",
        label: "Sales that wait",
        sort: "waiting",
        isNumber: true,
        cell: ({ waiting, firstBoughtAt }) =>
          waiting === 0 ? (
            "–"
          ) : (
            <>
              {waiting} from <Moment at={firstBoughtAt} isDay />
            </>
          ),
        csv: ({ waiting }) => waiting,
      },
      {
        key: "rate",
        label: "Pounds for one",
        isNumber: true,
        cell: ({ rateMicros }) => (rateMicros === null ? "none yet" : `£${decimalRate(rateMicros)}`),
        csv: ({ rateMicros }) => rateMicros && decimalRate(rateMicros),
      },
      {
        key: "since",
        label: "Since",
        sort: "since",
        cell: ({ since }) => <Moment at={since} isDay />,
        csv: ({ since }) => since && dayOf(since),
      },
      {
        key: "next",
        label: "Next",
        cell: ({ nextMicros, nextFrom }) =>
          nextMicros === null ? (
            "–"
          ) : (
            <>
              £{decimalRate(nextMicros)} from <Moment at={nextFrom} isDay />
            </>
          ),
        csv: ({ nextMicros, nextFrom }) =>
          nextMicros && nextFrom && `${decimalRate(nextMicros)} from ${dayOf(nextFrom)}`,
      },
    ],
  };
}
