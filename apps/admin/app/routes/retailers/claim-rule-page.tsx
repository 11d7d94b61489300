import { act } from "@farthing/core/audit/act.server.ts";
import {
  findClaimRule,
  findClaimRuleReach,
  setClaimRule,
  type ClaimRuleChange,
  type ClaimRuleReach,
} from "@farthing/core/claims/claim-rules.server.ts";
import { claimRuleSchema, typedOfRule } from "@farthing/core/claims/rule-schema.ts";
import { DEFAULT_RULE, ruleWords, type ClaimRule } from "@farthing/core/claims/rules.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { optionalWhySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, SelectField, TextField, VersionField, WhyField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { staleAnswer } from "../../kit/stale-answer.server.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import type { Route } from "./+types/claim-rule-page";

const unknown = () => refused(404, { title: "No such retailer", text: "Go back to the list of retailers." });
const pathOf = (slug: string) => `/admin/retailers/${slug}/claims`;

export async function loader({ context, params: { retailer: slug }, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const record = await findClaimRule(db, { slug });
  if (!record) throw unknown();
  const { retailer, own } = record;
  const days = (own ?? DEFAULT_RULE).closesAfterDays;
  return {
    record,
    path: pathOf(slug),
    isMerged: retailer.slug !== slug,
    days,
    reach: await findClaimRuleReach(db, { retailerId: retailer.id, days, now: now() }),
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
  };
}

const evidenceChoices = [
  { value: "no", label: "No" },
  { value: "yes", label: "Yes" },
];
const labels = { from: "First day", to: "Last day", evidence: "Needs evidence" };

type ReadRule = { ok: true; rule: ClaimRule | null; why: string | null } | { ok: false; faults: Faults };

/** Reads the form of a rule. "Back to the default" drops the rule, whatever is typed. */
function readRule(typed: Typed): ReadRule {
  const head = checkForm(typed, z.object({ why: optionalWhySchema }));
  const isDefault = typed["act"] === "default";
  const rule = isDefault ? null : checkForm(typed, claimRuleSchema);
  if (!head.ok || rule?.ok === false)
    return { ok: false, faults: { ...(rule?.ok === false && rule.faults), ...(!head.ok && head.faults) } };
  return { ok: true, rule: rule?.value ?? null, why: head.value.why };
}

interface Posted {
  typed: Typed;
  faults?: Faults;
  says?: string;
  stale?: StaleAnswer<string>;
}

export async function action({ context, params: { retailer: slug }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  const form = readRule(typed);
  if (!form.ok) return answer({ faults: form.faults });
  const subject = { type: "retailer", id: slug } as const;
  const what = {
    permission: "catalogue.change",
    action: "retailer.claim-rule",
    subject,
    why: form.why,
    changed: ({ outcome }: ClaimRuleChange) => outcome === "changed",
  } as const;
  const change = { slug, seen: typed["version"] ?? "", rule: form.rule };
  const saved = await act(db, actor, what, (joined) => setClaimRule(joined, change));
  switch (saved.outcome) {
    case "changed":
      return redirect(`${pathOf(slug)}?saved`, 303);
    case "unchanged":
      return answer({ says: "Nothing was changed: this rule holds already." }, 409);
    case "merged":
      return answer({ says: "Nothing was saved: this retailer was merged meanwhile." }, 409);
    case "unknown":
      throw unknown();
    case "stale": {
      const stored = typedOfRule(saved.stored.own ?? DEFAULT_RULE);
      const shown = {
        stored,
        version: saved.stored.fingerprint,
        typed,
        labels,
        choices: { evidence: evidenceChoices },
      };
      return answer({ stale: await staleAnswer(db, { subject, actions: [what.action], ...shown }) }, 409);
    }
  }
}

const number = (count: number) => count.toLocaleString("en-GB");
const visitWords = ({ count, isEstimate }: ClaimRuleReach["visits"]) =>
  count === 0 ? "none" : `${isEstimate ? "about " : ""}${number(count)}: a change holds for their claims`;

export default function ClaimRulePage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { record, path, isMerged, days, reach, isSaved } = loaderData;
  const { retailer, own, usual, fingerprint } = record;
  const mayChange = loaderData.mayChange && !isMerged;
  const rule = own ?? DEFAULT_RULE;
  const shared = { typed: posted?.typed ?? typedOfRule(rule), faults: posted?.faults };
  return (
    <section className="narrow">
      <PageHead
        title={`Claim rule of ${retailer.name}`}
        crumbs={[
          { label: "Retailers", href: "/admin/retailers" },
          { label: retailer.name, href: `/admin/retailers/${retailer.slug}` },
        ]}
        intro={ruleWords(rule, usual)}
      >
        <a href={`/admin/retailers/${retailer.slug}/history`}>History</a>
      </PageHead>
      {!posted && isSaved && <Notice tone="good">Saved. It holds now for every visit without a claim.</Notice>}
      {isMerged && (
        <Notice>
          The retailer of this address was merged into <a href={pathOf(retailer.slug)}>{retailer.name}</a>, whose rule
          holds. Change it there.
        </Notice>
      )}
      {posted?.says && <Notice tone="bad">{posted.says}</Notice>}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      <FaultSummary faults={posted?.faults} />
      <Facts
        facts={[
          { label: "Holds now", value: own ? "a rule of the retailer’s own" : "the default of every retailer" },
          {
            label: `Visits of the last ${days} days`,
            value: visitWords(reach.visits),
          },
          {
            label: "Claims under way",
            value:
              reach.claims === 0 ? "none" : `${number(reach.claims)}: they keep the rule that they were made under`,
          },
        ]}
      />
      <form method="post" action={path} className="card">
        <fieldset className="plain-fieldset stack" disabled={!mayChange}>
          <VersionField current={fingerprint} typed={posted?.typed} stale={posted?.stale} />
          <TextField
            name="from"
            label={labels.from}
            help="In days after the visit, from 0 to 365. Empty, or “usual”: the usual time."
            max={5}
            isRequired={false}
            {...shared}
          />
          <TextField
            name="to"
            label={labels.to}
            help="In days after the visit, or after the purchase tracked where its amount is wrong: from 1 to 730."
            inputMode="numeric"
            max={3}
            {...shared}
          />
          <SelectField
            name="evidence"
            label={labels.evidence}
            help="A claim without a file waits until its member has added one."
            choices={evidenceChoices}
            {...shared}
          />
          <WhyField {...shared} isRequired={false} />
          {mayChange && (
            <p className="acts">
              <button className="button is-main">Save</button>
              {own && (
                <button className="button" name="act" value="default" formNoValidate>
                  Back to the default
                </button>
              )}
            </p>
          )}
        </fieldset>
      </form>
      {!loaderData.mayChange && <p className="soft">Catalogue operators and owners change it.</p>}
    </section>
  );
}
