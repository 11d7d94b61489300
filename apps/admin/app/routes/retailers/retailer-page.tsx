import { formatRate } from "@farthing/core/money/money.ts";
import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { changeRetailer, type RetailerChange } from "@farthing/core/catalogue/retailers/change-retailer.server.ts";
import {
  findRetailerRecord,
  formOf,
  type RetailerRecord,
} from "@farthing/core/catalogue/retailers/find-retailer-record.server.ts";
import { findClosingToAsk, type ClosingToAsk } from "@farthing/core/catalogue/retailers/find-closing.server.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { z } from "zod";
import { ClosingQuestion } from "./closing-question.tsx";
import {
  retailerSchema,
  typedOfRetailer,
  type RetailerForm,
} from "@farthing/core/catalogue/retailers/retailer-schema.ts";
import { findRetailerProducts } from "@farthing/core/gift-cards/find-records.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { Amount } from "@farthing/ui/money/amount.tsx";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Badge, Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, VersionField } from "../../kit/fields.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer, type StaleField } from "../../kit/stale-save.tsx";
import { retailerChoices } from "./retailer-choices.server.ts";
import { RetailerFields, retailerFaults, retailerLabels } from "./retailer-form.tsx";
import { RetailerState } from "./retailer-list.tsx";
import type { Route } from "./+types/retailer-page";

const unknown = () => refused(404, { title: "No such retailer", text: "Go back to the list of retailers." });

export async function loader({ context, params: { retailer: slug }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const [retailer, choices] = await Promise.all([findRetailerRecord(db, { slug, now: now() }), retailerChoices(db)]);
  if (!retailer) throw unknown();
  const query = new URL(request.url).searchParams;
  const { role } = context.get(operatorContext);
  const seesCards = may(role, "gift-cards.see");
  return {
    retailer,
    products: seesCards ? await findRetailerProducts(db, { retailerId: retailer.id }) : [],
    stored: typedOfRetailer(formOf(retailer)),
    choices,
    mayChange: may(role, "catalogue.change"),
    seesMoney: may(role, "money.see"),
    says: query.has("saved")
      ? "Saved. The site shows it at once."
      : query.has("made")
        ? "The retailer is added. Now make its offers."
        : query.has("merged")
          ? "Merged. This record has everything of the other; the site shows it at once."
          : null,
  };
}

interface Answer {
  ask: ClosingToAsk | null;
  stale: StaleAnswer<string> | null;
  typed: Typed;
  faults: Faults;
}

export async function action({ context, params: { retailer: slug }, request }: Route.ActionArgs) {
  const typed = typedIn(await request.formData());
  const answer = (changed: Partial<Answer>, status = 422) =>
    data<Answer>({ ask: null, stale: null, typed, faults: {}, ...changed }, { status });
  const form = checkForm(typed, retailerSchema);
  if (!form.ok) return answer({ faults: retailerFaults(form.faults) });
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const ask = await findClosingToAsk(db, {
    ...{ slug, seen: typed["version"] ?? "", status: form.value.status, now: actor.now },
  });
  if (ask && typed["confirmed"] !== "yes") return answer({ ask }, 200);
  const why = ask ? checkForm(typed, z.object({ why: whySchema })) : null;
  if (why && !why.ok) return answer({ ask, faults: why.faults });
  const what = {
    permission: "catalogue.change",
    action: "retailer.change",
    subject: { type: "retailer", id: slug },
    why: why?.ok ? why.value.why : null,
    changed: ({ outcome }: RetailerChange) => outcome === "changed",
  } as const;
  const change = { slug, seen: typed["version"] ?? "", form: form.value, now: actor.now };
  const saved = await act(db, actor, what, (joined) => changeRetailer(joined, change));
  switch (saved.outcome) {
    case "changed":
      return redirect(`/admin/retailers/${slug}?saved`, 303);
    case "unchanged":
      return answer({ faults: { form: "Nothing was changed: the retailer has these values already." } }, 409);
    case "refused":
      return answer({ faults: retailerFaults(saved.faults as Faults) });
    case "merged":
      return answer({ faults: { form: "Nothing was saved: this retailer was merged into another meanwhile." } }, 409);
    case "unknown":
      throw unknown();
    case "stale": {
      const last = await findLastChange(db, { type: "retailer", id: slug });
      const fields = differences(saved.record, form.value);
      const version = saved.record.fingerprint;
      return answer({ stale: { by: last?.actor ?? null, at: last?.at ?? null, fields, version } }, 409);
    }
  }
}

function differences(theirs: RetailerForm, yours: RetailerForm): StaleField[] {
  const shown = (value: RetailerForm[keyof RetailerForm]) =>
    Array.isArray(value) ? value.join(", ") : typeof value === "boolean" ? (value ? "yes" : "no") : String(value ?? "");
  return (Object.keys(retailerLabels) as (keyof RetailerForm)[])
    .map((name) => ({ name, label: retailerLabels[name], theirs: shown(theirs[name]), yours: shown(yours[name]) }))
    .filter((field) => field.theirs !== field.yours);
}

export default function RetailerPage({ loaderData, actionData }: Route.ComponentProps) {
  const { retailer, products, stored, choices, mayChange, seesMoney, says } = loaderData;
  const path = `/admin/retailers/${retailer.slug}`;
  const stale = actionData?.stale;
  const ask = actionData?.ask;
  return (
    <>
      <PageHead
        title={retailer.name}
        crumbs={[{ label: "Retailers", href: "/admin/retailers" }]}
        intro={<RetailerState status={retailer.status} />}
      >
        {mayChange && !retailer.mergedInto && (
          <>
            <a href={`/admin/offers/new?retailer=${retailer.slug}`}>New offer</a>
            <a href={`${path}/merge`}>Merge into another …</a>
          </>
        )}
        {!retailer.mergedInto && <a href={`${path}/rates`}>Rates and boosts</a>}
        {!retailer.mergedInto && <a href={`${path}/claims`}>Claim rule</a>}
        <a href={`${path}/history`}>History and undo</a>
      </PageHead>
      {!actionData && says && <Notice tone="good">{says}</Notice>}
      {retailer.mergedInto && (
        <Notice>
          Merged into <a href={`/admin/retailers/${retailer.mergedInto.slug}`}>{retailer.mergedInto.name}</a>{" "}
          <Moment at={new Date(retailer.mergedInto.at)} />. Nothing can be changed here: receipts show the name as it
          was, and the old address leads to the one that stays.
        </Notice>
      )}
      {!ask && <FaultSummary faults={actionData?.faults} />}
      {ask && (
        <ClosingQuestion
          {...ask}
          name={retailer.name}
          typed={actionData.typed}
          faults={actionData.faults}
          path={path}
        />
      )}
      {stale && <StaleSave {...stale} typed={actionData.typed} back={path} />}
      <div className="split">
        <section className="panel" aria-labelledby="fields">
          <h2 id="fields">What members see</h2>
          <form method="post" action={path}>
            <fieldset className="plain-fieldset stack" disabled={!mayChange || retailer.mergedInto !== null}>
              <VersionField current={retailer.fingerprint} typed={actionData?.typed} stale={stale} />
              <RetailerFields
                typed={actionData?.typed ?? stored}
                faults={ask ? undefined : actionData?.faults}
                choices={choices}
              />
              {mayChange && !retailer.mergedInto && (
                <p>
                  <button className="button is-main">Save</button>
                </p>
              )}
            </fieldset>
          </form>
        </section>
        <div className="stack">
          <section className="panel" aria-labelledby="facts">
            <h2 id="facts">Facts</h2>
            <img
              src={`/art/retailers/${retailer.slug}.svg`}
              width={96}
              height={96}
              alt={`The mark of ${retailer.name}`}
            />
            <Facts
              facts={[
                { label: "Address", value: <span className="id">/retailers/{retailer.slug}</span> },
                {
                  label: "Offers",
                  value: <a href={`/admin/offers?retailer=${retailer.slug}`}>{retailer.liveOffers} published</a>,
                },
                ...(products.length > 0
                  ? [
                      {
                        label: products.length === 1 ? "Gift card" : "Gift cards",
                        value: (
                          <ul className="plain-list">
                            {products.map(({ publicId, name, issuer, isSold }) => (
                              <li key={publicId}>
                                <a href={`/admin/gift-cards/products/${publicId}`}>{name}</a> of {issuer}{" "}
                                <Badge tone={isSold ? "good" : "bad"}>{isSold ? "sold" : "not sold"}</Badge>
                              </li>
                            ))}
                          </ul>
                        ),
                      },
                    ]
                  : []),
                ...(retailer.scorecard
                  ? [
                      {
                        label: "Purchases of a year",
                        value: `${retailer.scorecard.purchases}, of which ${retailer.scorecard.trackedInTime} tracked in time`,
                      },
                      {
                        label: "Decided",
                        value: `${retailer.scorecard.decided}, of which ${retailer.scorecard.declined} declined`,
                      },
                    ]
                  : []),
                ...(retailer.merged.length > 0
                  ? [
                      {
                        label: "Merged into it",
                        value: (
                          <ul className="plain-list">
                            {retailer.merged.map(({ slug, name }) => (
                              <li key={slug}>
                                <a href={`/admin/retailers/${slug}`}>{name}</a>
                              </li>
                            ))}
                          </ul>
                        ),
                      },
                    ]
                  : []),
                { label: "Added", value: <Moment at={retailer.createdAt} /> },
                { label: "Changed", value: <Moment at={retailer.changedAt} /> },
              ]}
            />
          </section>
          <Programmes retailer={retailer} seesMoney={seesMoney} />
        </div>
      </div>
    </>
  );
}

function Programmes({ retailer: { programmes }, seesMoney }: { retailer: RetailerRecord; seesMoney: boolean }) {
  return (
    <section className="panel" aria-labelledby="programmes">
      <h2 id="programmes">At networks</h2>
      {programmes.length === 0 && <p className="soft">It is at no network, so it pays no cashback.</p>}
      {programmes.map((programme) => (
        <div key={`${programme.network} ${programme.number}`} className="block">
          <p>
            <strong>{seesMoney ? <a href="/admin/networks">{programme.network}</a> : programme.network}</strong>, number{" "}
            <span className="id">{programme.number}</span>{" "}
            <Badge tone={programme.status === "joined" ? "good" : "bad"}>{programme.status.replaceAll("_", " ")}</Badge>{" "}
            {programme.isPreferred && <Badge>builds the links</Badge>}
          </p>
          <p>
            <a href={programme.landingUrl} rel="noreferrer">
              {programme.name}
            </a>
          </p>
          <ul className="plain-list">
            {programme.rates.map(({ label, boosts, ...rate }) => (
              <li key={label}>
                {label}: <Rate {...rate} />
                {boosts.map(({ startsAt, endsAt, ...boosted }) => (
                  <div key={startsAt} className="soft">
                    boosted to <Rate {...boosted} /> from <Moment at={startsAt} /> until <Moment at={endsAt} />
                  </div>
                ))}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </section>
  );
}

function Rate({ bp, pence }: { bp: number | null; pence: number | null }) {
  return bp === null ? <Amount pence={pence ?? 0} /> : <>{formatRate(bp)}</>;
}
