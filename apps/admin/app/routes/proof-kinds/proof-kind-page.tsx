import { act } from "@farthing/core/audit/act.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import {
  changeProofKind,
  findProofKindRecord,
  removeProofKind,
  type RemovedProofKind,
  type SavedProofKind,
} from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { proofKindStatement } from "@farthing/core/verification-requests/proof-kind-schema.ts";
import { isProofKindUsed } from "@farthing/core/verification-requests/rules.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { readRemoval } from "../../kit/removal.ts";
import { staleAnswer } from "../../kit/stale-answer.server.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { ProofKindFields } from "./proof-kind-fields.tsx";
import { AskedBy, sentText } from "./proof-kind-use.tsx";
import { drawingChoices, fieldLabels, typedOf } from "./proof-kind-words.ts";
import type { Route } from "./+types/proof-kind-page";

const unknown = () => refused(404, { title: "No such proof kind", text: "Go back to the list of proof kinds." });

export async function loader({ context, params: { kind: slug }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const kind = await findProofKindRecord(db, { slug });
  if (!kind) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    kind,
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(role, "settings.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

interface Posted {
  typed: Typed;
  faults?: Faults;
  isAsked?: true;
  stale?: StaleAnswer;
}

export async function action({ context, params: { kind: slug }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  const current = await findProofKindRecord(db, { slug });
  if (!current) throw unknown();
  const subject = { type: "proof-kind", id: slug } as const;
  if (typed["act"] === "remove") {
    const isUsed = () => answer({ faults: { form: "It is used, so it stays: see “Where it is used”." } }, 409);
    if (isProofKindUsed(current)) return isUsed();
    const removal = readRemoval(typed);
    if (!("why" in removal)) return answer(removal, removal.faults ? 422 : 200);
    const removed = await act(
      db,
      actor,
      {
        ...{ permission: "settings.change", action: "proof-kind.remove", subject, why: removal.why },
        changed: ({ outcome }: RemovedProofKind) => outcome === "removed",
      },
      (joined) => removeProofKind(joined, { slug }),
    );
    if (removed.outcome === "unknown") throw unknown();
    return removed.outcome === "used" ? isUsed() : redirect("/admin/proof-kinds?done", 303);
  }
  const form = checkForm(typed, proofKindStatement);
  if (!form.ok) return answer({ faults: form.faults });
  const saved = await act(
    db,
    actor,
    {
      ...{ permission: "settings.change", action: "proof-kind.change", subject },
      changed: ({ outcome }: SavedProofKind) => outcome === "saved",
    },
    (joined) => changeProofKind(joined, { slug, version: versionField.parse(typed["version"]), kind: form.value }),
  );
  switch (saved.outcome) {
    case "saved":
    case "unchanged":
      return redirect(`/admin/proof-kinds/${slug}?saved`, 303);
    case "unknown":
      throw unknown();
    case "refused":
      return answer({ faults: { [saved.field]: saved.message } });
    case "stale": {
      const { stored } = saved;
      const choices = { drawing: drawingChoices };
      const shown = { stored: typedOf(stored), version: stored.version, typed, labels: fieldLabels, choices };
      return answer({ stale: await staleAnswer(db, { subject, ...shown }) }, 409);
    }
  }
}

export default function ProofKindPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { kind, isSaved, mayChange, maySeeLog } = loaderData;
  const path = `/admin/proof-kinds/${kind.slug}`;
  const isSave = posted !== undefined && posted.typed["act"] !== "remove";
  const isUsed = isProofKindUsed(kind);
  return (
    <section className="narrow">
      <PageHead
        title={kind.name}
        crumbs={[{ label: "Proof kinds", href: "/admin/proof-kinds" }]}
        intro={<span className="id">{kind.slug}</span>}
      >
        {maySeeLog && <a href={`/admin/audit/proof-kind/${kind.slug}`}>History in the log</a>}
      </PageHead>
      {!posted && isSaved && <Notice tone="good">Saved. Members read it from now on.</Notice>}
      {posted?.isAsked && (
        <Confirm
          title={`Remove ${kind.name}?`}
          what={<p>Nobody is asked for it, and nobody has sent it. The log keeps its words.</p>}
          button="Remove"
          keep={[["act", "remove"]]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      {!posted?.isAsked && (
        <FaultSummary faults={posted?.faults} says={isSave ? "Nothing was saved yet:" : "Nothing was done:"} />
      )}
      <form method="post" className="card" action={path}>
        <VersionField current={kind.version} typed={isSave ? posted.typed : undefined} stale={posted?.stale} />
        <fieldset className="plain" disabled={!mayChange}>
          <ProofKindFields typed={isSave ? posted.typed : typedOf(kind)} faults={isSave ? posted.faults : undefined} />
        </fieldset>
        {mayChange && (
          <p className="acts">
            <button className="button is-main">Save</button>
          </p>
        )}
      </form>
      <section className="panel" aria-labelledby="use">
        <h2 id="use">Where it is used</h2>
        <Facts
          facts={[
            { label: "Asked for by", value: <AskedBy types={kind.askedBy} /> },
            { label: "General", value: kind.isGeneral ? "yes: of members without a list" : "no" },
            { label: "Sent", value: sentText(kind.requests) },
          ]}
        />
        {isUsed && (
          <p className="soft">
            It can be removed once it is in no list, is not general, and was never sent. To stop asking for it, take it
            out of the lists.
          </p>
        )}
        {mayChange && !isUsed && (
          <form method="post" action={path}>
            <button className="button is-danger-quiet" name="act" value="remove">
              Remove …
            </button>
          </form>
        )}
      </section>
    </section>
  );
}
