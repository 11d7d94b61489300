import { act } from "@farthing/core/audit/act.server.ts";
import { findLastChange } from "@farthing/core/audit/queries.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { saveThreshold, type SavedThreshold } from "@farthing/core/thresholds/operations.server.ts";
import {
  findThresholdFaults,
  findThresholdRecord,
  type ThresholdRecord,
} from "@farthing/core/thresholds/queries.server.ts";
import { isThresholdKey, thresholdOf } from "@farthing/core/thresholds/rules.ts";
import { data, redirect } from "react-router";
import { followThreshold } from "./follow-threshold.server.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, TextField, VersionField, WhyField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { UnusableValues } from "./threshold-list-page.tsx";
import { brandField, readThreshold, thresholdFaults } from "./threshold-form.ts";
import type { Route } from "./+types/threshold-page";

const unknown = () => refused(404, { title: "No such threshold", text: "Go back to the list of thresholds." });

export async function loader({ context, params: { threshold: key }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [record, brands, faults] = await Promise.all([
    findThresholdRecord(db, { key }),
    listBrands(db),
    findThresholdFaults(db),
  ]);
  if (!record) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    record,
    brands: brands.map(({ slug, name }) => ({ slug, name })),
    faults: faults.filter((fault) => fault.key === key),
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(role, "settings.change"),
  };
}

interface Posted {
  typed: Typed;
  faults?: Faults;
  says?: string;
  stale?: StaleAnswer;
}

export async function action({ context, params: { threshold: key }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  if (!isThresholdKey(key)) throw unknown();
  const brands = await listBrands(db);
  const form = readThreshold(key, typed, brands);
  if (!form.ok) return answer({ faults: form.faults });
  const { statement, version, why } = form;
  const saved = await act(
    db,
    actor,
    {
      permission: "settings.change",
      action: "threshold.change",
      subject: { type: "threshold", id: key },
      why,
      changed: ({ outcome }: SavedThreshold) => outcome === "changed",
    },
    (joined) => saveThreshold(joined, { key, statement, version, now: actor.now, follow: followThreshold }),
  );
  switch (saved.outcome) {
    case "changed":
      return redirect(`/admin/thresholds/${key}?saved`, 303);
    case "unchanged":
      return answer({ says: "Nothing was changed: these values hold already." }, 409);
    case "refused":
      return answer({ faults: thresholdFaults(saved.faults) });
    case "stale": {
      const last = await findLastChange(db, { type: "threshold", id: key });
      const theirs = typedOf(saved.stored);
      const fields = [
        { name: "club", label: "The whole club" },
        ...brands.map(({ slug, name }) => ({ name: brandField(slug), label: name })),
      ]
        .map(({ name, label }) => ({ name, label, theirs: theirs[name] ?? "", yours: typed[name] ?? "" }))
        .filter((field) => field.theirs !== field.yours);
      const { version: current } = saved.stored;
      return answer({ stale: { by: last?.actor ?? null, at: last?.at ?? null, version: current, fields } }, 409);
    }
  }
}

/** Returns what is stored as the form shows it. */
function typedOf({ stored: { club, brands } }: ThresholdRecord): Typed {
  const own = Object.entries(brands).map(([slug, value]) => [brandField(slug), String(value)]);
  return { club: club === null ? "" : String(club), ...(Object.fromEntries(own) as Typed) };
}

export default function ThresholdPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { record, brands, faults, isSaved, mayChange } = loaderData;
  const { name, does, unit, min, max, isPerBrand, default: byDefault } = thresholdOf(record.key);
  const path = `/admin/thresholds/${record.key}`;
  const shared = { typed: posted?.typed ?? typedOf(record), faults: posted?.faults, isRequired: false };
  const isSet = record.stored.club !== null || Object.keys(record.stored.brands).length > 0;
  return (
    <section className="narrow">
      <PageHead title={name} crumbs={[{ label: "Thresholds", href: "/admin/thresholds" }]} intro={does}>
        <a href={`${path}/history`}>History and undo</a>
      </PageHead>
      {!posted && isSaved && <Notice tone="good">Saved. It holds now, in every process.</Notice>}
      {posted?.says && <Notice tone="bad">{posted.says}</Notice>}
      <UnusableValues faults={faults} />
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      <FaultSummary faults={posted?.faults} />
      <Facts
        facts={[
          { label: "Holds now", value: `${record.holds} (${unit})` },
          { label: "Default", value: byDefault },
          { label: "Range", value: `${min} to ${max.toLocaleString("en-GB")}` },
        ]}
      />
      <form method="post" action={path} className="card">
        <fieldset className="plain-fieldset stack" disabled={!mayChange}>
          <VersionField current={record.version} typed={posted?.typed} stale={posted?.stale} />
          <TextField
            name="club"
            label={isPerBrand ? "The whole club" : "Value"}
            help={`In ${unit}. Empty: the default, ${byDefault}.`}
            inputMode="numeric"
            max={9}
            {...shared}
          />
          {isPerBrand && (
            <fieldset className="group">
              <legend>Brands that differ</legend>
              <p className="field-help">Empty: the club’s value.</p>
              {brands.map((brand) => (
                <TextField
                  key={brand.slug}
                  name={brandField(brand.slug)}
                  label={brand.name}
                  inputMode="numeric"
                  max={9}
                  {...shared}
                />
              ))}
            </fieldset>
          )}
          <WhyField {...shared} />
          {mayChange && (
            <p className="acts">
              <button className="button is-main">Save</button>
              {isSet && (
                <button className="button" name="act" value="default">
                  Back to the default
                </button>
              )}
            </p>
          )}
        </fieldset>
      </form>
      {!mayChange && <p className="soft">Owners change it.</p>}
    </section>
  );
}
