import { findRates, withoutCommission } from "@farthing/core/catalogue/rate-tiers/find-rates.server.ts";
import { findRetailerRecord } from "@farthing/core/catalogue/retailers/find-retailer-record.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import type { Typed } from "../../kit/read-form.ts";
import { StaleSave } from "../../kit/stale-save.tsx";
import { changeRates } from "./change-rates.server.ts";
import { RateForms } from "./rate-forms.tsx";
import { RatePanel } from "./rate-panel.tsx";
import { rateLabels } from "./rate-words.ts";
import { ratesPath, type RatesDone } from "./rates-answer.ts";
import type { Route } from "./+types/rates-page";

const done: Record<RatesDone, string> = {
  terms: "Saved. The site shows it at once.",
  boost: "The boost is saved. Members see it, with its end, from its start on.",
  end: "Ended. Clicks from now on get the usual rate; clicks until now keep the rate that they were promised.",
  remove: "Removed. Members never saw it.",
  release:
    "Given back. The next editorial import that describes the retailer writes what operators had set; until then it stays.",
};

export async function loader({ context, params: { retailer: slug }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const retailer = await findRetailerRecord(db, { slug });
  if (!retailer) throw refused(404, { title: "No such retailer", text: "Go back to the list of retailers." });
  const found = await findRates(db, { retailerId: retailer.id });
  const mayChange = may(context.get(operatorContext).role, "catalogue.change");
  const programmes = mayChange ? found : withoutCommission(found);
  const rates = programmes.flatMap((programme) => programme.rates);
  const query = new URL(request.url).searchParams;
  // A retailer with one rate needs no choice of it.
  const open = rates.find(({ id }) => id === query.get("rate")) ?? (rates.length === 1 ? rates[0] : undefined);
  const says = Object.entries(done).find(([name]) => name === query.get("done"))?.[1] ?? null;
  return {
    ...{ slug, name: retailer.name, mergedInto: retailer.mergedInto, programmes, mayChange, now: now() },
    openId: mayChange ? (open?.id ?? null) : null,
    boost: open?.boosts.find(({ id }) => id === query.get("boost")) ?? null,
    says,
  };
}

/** Changes one rate: the address says which, the form what. */
export async function action({ context, params: { retailer }, request }: Route.ActionArgs) {
  return await changeRates(context, { retailer, request });
}

export default function RatesPage({ loaderData, actionData }: Route.ComponentProps) {
  const { slug, name, mergedInto, programmes, mayChange, now, openId, boost, says } = loaderData;
  const { ask, stale, typed, faults } = actionData ?? { ask: null, stale: null, typed: null, faults: undefined };
  const here = ratesPath(slug, { rate: openId, boost: boost?.id });
  return (
    <>
      <PageHead
        title={`Rates and boosts of ${name}`}
        crumbs={[
          { label: "Retailers", href: "/admin/retailers" },
          { label: name, href: `/admin/retailers/${slug}` },
        ]}
        intro="The network sets the usual rate. The club sets its basis, its cap, and boosts: higher rates for a time. Times are London’s."
      >
        <a href={`/admin/retailers/${slug}/history`}>History</a>
      </PageHead>
      {!actionData && says && <Notice tone="good">{says}</Notice>}
      {!ask && <FaultSummary faults={faults} />}
      {ask && <Confirm {...ask} back={here} typed={typed ?? undefined} faults={faults} what={<p>{ask.what}</p>} />}
      {actionData?.lost && <Lost typed={actionData.lost} />}
      {stale && typed && <StaleSave {...stale} typed={typed} back={here} />}
      {programmes.length === 0 && (
        <p className="empty">
          {mergedInto
            ? `It was merged into ${mergedInto.name}, which has its rates.`
            : "It is joined at no network, so it pays no cashback and has no rates."}
        </p>
      )}
      {programmes.map((programme) => (
        <section
          key={`${programme.network} ${programme.number}`}
          className="stack"
          aria-label={`${programme.name}, ${programme.network}`}
        >
          <h2>
            {programme.name} <span className="soft">at {programme.network}</span>{" "}
            {programme.isPreferred ? <Badge>builds the links</Badge> : null}
          </h2>
          {!programme.isPreferred && (
            <p className="soft">Members see these rates beside this programme’s own offers only.</p>
          )}
          {programme.rates.length === 0 && <p className="empty">The network has sent no rates for it yet.</p>}
          {programme.rates.map((rate) => (
            <RatePanel key={rate.id} {...{ rate, slug, now, mayChange }} isOpen={rate.id === openId}>
              {rate.id === openId && (
                <RateForms {...{ rate, slug, now, boost, stale }} typed={typed} faults={ask ? undefined : faults} />
              )}
            </RatePanel>
          ))}
        </section>
      ))}
    </>
  );
}

/** What was typed into a form whose rate is gone. */
function Lost({ typed }: { typed: Typed }) {
  const facts = Object.entries(rateLabels).flatMap(([name, label]) =>
    typed[name] ? [{ label, value: typed[name] }] : [],
  );
  return facts.length > 0 ? (
    <section className="panel" aria-labelledby="lost">
      <h2 id="lost">What you typed</h2>
      <Facts facts={facts} />
    </section>
  ) : null;
}
