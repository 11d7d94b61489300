import { act } from "@farthing/core/audit/act.server.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import { currencyName, foreignCurrencies } from "@farthing/core/money/currencies.ts";
import {
  addExchangeRate,
  currencyList,
  findCurrencyRates,
  type AddedRate,
  type CurrencyRates,
  type CurrencySort,
  type ListedCurrency,
} from "@farthing/core/networks/exchange-rates.server.ts";
import { decimalRate, doubtOf, farDayOf, newRateSchema } from "@farthing/core/networks/exchange-rates.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Notice } from "../../kit/facts.tsx";
import { FaultSummary, SelectField, TextField } from "../../kit/fields.tsx";
import { ListScreen } from "../../kit/list-screen.tsx";
import { loadList } from "../../kit/load-list.server.ts";
import { Moment, momentText } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { currencyListing } from "./currency-list.tsx";
import { RateQuestion, type AskedRate } from "./rate-question.tsx";
import type { Route } from "./+types/exchange-rates-page";

const PATH = "/admin/networks/exchange-rates";
const dayOf = (moment: Date) => toLondon(moment).slice(0, 10);

export async function loader(args: Route.LoaderArgs) {
  const { db, now: clock } = args.context.get(servicesContext);
  const now = clock();
  const { role } = args.context.get(operatorContext);
  const query = new URL(args.request.url).searchParams;
  const currency = query.get("currency") ?? "";
  const [list, chosen] = await Promise.all([
    loadList<ListedCurrency, CurrencySort>(args, currencyListing({}), () => currencyList({ now })),
    foreignCurrencies.includes(currency) ? findCurrencyRates(db, { currency, validFrom: now }) : null,
  ]);
  return {
    list,
    chosen: chosen && { currency, ...chosen },
    names: Object.fromEntries(foreignCurrencies.map((code) => [code, currencyName(code)])),
    // A rate of today would leave the sales that wait where they are.
    from: dayOf(chosen?.firstBoughtAt ?? now),
    done: query.get("done"),
    mayChange: may(role, "money.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

interface Posted {
  typed: Typed;
  faults: Faults;
  asked: AskedRate | null;
  says?: string;
}

/** Shows what a rate would mean and do; with `confirmed`, sets it. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Partial<Posted>, status = 422) =>
    data<Posted>({ typed, faults: {}, asked: null, ...posted }, { status });
  const form = checkForm(typed, newRateSchema);
  if (!form.ok) return answer({ faults: form.faults });
  const { currency, rate: rateMicros, from: validFrom } = form.value;
  const ask = async (more: { faults?: Faults; isStale?: boolean }, status: number) => {
    const { rates: _rates, ...known } = await findCurrencyRates(db, { currency, validFrom });
    const asked: AskedRate = {
      ...{ currency, name: currencyName(currency), rateMicros, validFrom, ...known, isStale: more.isStale ?? false },
      doubt: doubtOf(rateMicros, known.beside?.rateMicros ?? null),
      farDay: farDayOf(validFrom, actor.now),
    };
    if (known.same?.rateMicros === rateMicros) return answer({ says: NO_CHANGE }, 409);
    return answer({ asked, faults: more.faults ?? {} }, status);
  };
  if (typed["confirmed"] !== "yes") return await ask({}, 200);
  const confirmed = checkForm(typed, z.object({ why: whySchema, version: z.string().catch("") }));
  if (!confirmed.ok) return await ask({ faults: confirmed.faults }, 422);
  const { why, version } = confirmed.value;
  const { same } = await findCurrencyRates(db, { currency, validFrom });
  const added = await act(
    db,
    actor,
    {
      permission: "money.change",
      action: "exchange-rate.set",
      subject: same ? { type: "exchange-rate", id: same.id } : { type: "exchange-rate", idOf },
      why,
      changed: ({ outcome }: AddedRate) => outcome === "added" || outcome === "corrected",
    },
    (joined) => addExchangeRate(joined, { currency, rateMicros, validFrom, version }),
  );
  if (added.outcome === "stale") return await ask({ isStale: true }, 409);
  if (added.outcome === "unchanged") return answer({ says: NO_CHANGE }, 409);
  return redirect(`${PATH}?currency=${currency}&done=${added.outcome}`, 303);
}

const NO_CHANGE = "Nothing was changed: this rate holds from that day already.";

function idOf(added: AddedRate): string {
  if (added.outcome === "stale") throw new Error("A rate that was not set has no id.");
  return added.id;
}

export default function ExchangeRatesPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { list, chosen, names, from, done, mayChange, maySeeLog } = loaderData;
  return (
    <>
      <PageHead
        title="Exchange rates"
        intro="What one unit of a foreign currency is worth in pounds, from a day on. A sale is converted at the rate of the day of its purchase, and keeps it. One without a rate waits."
        crumbs={[{ label: "Networks", href: "/admin/networks" }]}
      />
      {!posted && chosen && done && (
        <Notice tone="good">
          {done === "corrected" ? "Corrected. Sales that were converted before keep the rate that they had." : "Added."}{" "}
          {chosen.waiting > 0 &&
            `Sales in ${chosen.currency} that wait, bought when it holds, are credited when the networks’ reports are read the next time.`}
        </Notice>
      )}
      {posted?.says && <Notice tone="bad">{posted.says}</Notice>}
      {posted?.asked && <RateQuestion asked={posted.asked} typed={posted.typed} faults={posted.faults} path={PATH} />}
      {mayChange && <RateForm {...{ names, from, posted }} currency={chosen?.currency} />}
      {chosen && <RatesOf {...chosen} maySeeLog={maySeeLog} />}
      <ListScreen
        list={currencyListing(names)}
        loaded={list}
        empty={<p>No rate is known, and no sale waits for one.</p>}
      />
    </>
  );
}

function RateForm({
  names,
  from,
  currency,
  posted,
}: {
  names: Readonly<Record<string, string>>;
  from: string;
  currency: string | undefined;
  posted: Posted | undefined;
}) {
  const choices = Object.entries(names).map(([value, name]) => ({ value, label: `${value} ${name}` }));
  // The question has its own.
  const faults = posted?.asked ? undefined : posted?.faults;
  const shared = { typed: posted?.typed, faults };
  return (
    <section className="panel" aria-labelledby="add">
      <h2 id="add">Add or correct a rate</h2>
      <FaultSummary faults={faults} />
      <form method="post" action={PATH}>
        <SelectField name="currency" label="Currency" empty="Choose" value={currency} choices={choices} {...shared} />
        <TextField
          name="rate"
          label="Pounds for one unit"
          help="At most six decimals: 0.789 where one unit is worth 78.9 pence. Take the rate at which the network pays."
          inputMode="decimal"
          max={12}
          {...shared}
        />
        <TextField
          name="from"
          label="From"
          help="The first day, in Britain, whose purchases have it. A rate of the same day is corrected."
          type="date"
          value={from}
          {...shared}
        />
        <button className="button is-main">Add …</button>
      </form>
    </section>
  );
}

/** A currency's rates, newest first, so that an operator sees what a new one follows. */
function RatesOf({
  currency,
  rates,
  waiting,
  firstBoughtAt,
  maySeeLog,
}: CurrencyRates & { currency: string; maySeeLog: boolean }) {
  return (
    <section className="panel" aria-labelledby="rate-of">
      <h2 id="rate-of">Rates of {currency}</h2>
      {waiting > 0 && (
        <p>
          <a href="/admin/networks/held?reason=no_exchange_rate">
            {waiting === 1 ? "One sale waits" : `${waiting} sales wait`}
          </a>
          , the first bought on <Moment at={firstBoughtAt} isDay />.
        </p>
      )}
      {rates.length === 0 ? (
        <p className="soft">It has no rate yet.</p>
      ) : (
        <ul className="plain-list">
          {rates.map(({ id, rateMicros, validFrom }) => (
            <li key={id}>
              £{decimalRate(rateMicros)} from <Moment at={validFrom} isDay />
              {maySeeLog && (
                <>
                  {" "}
                  <a href={`/admin/audit/exchange-rate/${id}`}>
                    Log <span className="away">of the rate from {momentText(validFrom, true)}</span>
                  </a>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
