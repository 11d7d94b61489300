import { act } from "@farthing/core/audit/act.server.ts";
import {
  changeSubject,
  findSubjectRecord,
  listSubjectChoices,
  removeSubject,
  type RemovedSubject,
  type SavedSubject,
  type SubjectRecord,
} from "@farthing/core/faqs/subject-records.server.ts";
import { subjectStatement } from "@farthing/core/faqs/schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Facts, Notice } from "../../kit/facts.tsx";
import { FaultSummary, SelectField, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { readRemoval } from "../../kit/removal.ts";
import { staleAnswer } from "../../kit/stale-answer.server.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { SubjectFields } from "./subject-fields.tsx";
import type { Route } from "./+types/subject-page";

const unknown = () => refused(404, { title: "No such subject", text: "Go back to the list of subjects." });

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [subject, choices] = await Promise.all([findSubjectRecord(db, { id }), listSubjectChoices(db)]);
  if (!subject) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    subject,
    others: choices.filter(({ slug }) => slug !== subject.slug || subject.brand !== null),
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(role, "brands.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

const labels = { name: "Name", position: "Place", isHidden: "Hidden" };

interface Posted {
  typed: Typed;
  faults?: Faults;
  isAsked?: true;
  stale?: StaleAnswer;
}

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  if (!(await findSubjectRecord(db, { id }))) throw unknown();
  if (typed["act"] === "remove") {
    const removal = readRemoval(typed);
    if (!("why" in removal)) return answer(removal, removal.faults ? 422 : 200);
    const removed = await act(
      db,
      actor,
      {
        ...{ permission: "brands.change", action: "faq-subject.remove", why: removal.why },
        subject: { type: "faq-subject", id },
        changed: ({ outcome }: RemovedSubject) => outcome === "removed",
      },
      (joined) => removeSubject(joined, { id, to: typed["to"] || null }),
    );
    if (removed.outcome === "unknown") throw unknown();
    if (removed.outcome === "has-questions") return answer({ isAsked: true, faults: { to: removed.message } });
    return redirect("/admin/subjects?done", 303);
  }
  const form = checkForm(typed, subjectStatement);
  if (!form.ok) return answer({ faults: form.faults });
  const saved = await act(
    db,
    actor,
    {
      permission: "brands.change",
      action: "faq-subject.change",
      subject: { type: "faq-subject", id },
      changed: ({ outcome }: SavedSubject) => outcome === "saved",
    },
    (joined) => changeSubject(joined, { id, version: versionField.parse(typed["version"]), subject: form.value }),
  );
  switch (saved.outcome) {
    case "saved":
    case "unchanged":
      return redirect(`/admin/subjects/${id}?saved`, 303);
    case "unknown":
      throw unknown();
    case "refused":
      return answer({ faults: { [saved.field]: saved.message } });
    case "stale": {
      const { stored } = saved;
      const shown = { stored: typedOf(stored), version: stored.version, typed, labels };
      return answer({ stale: await staleAnswer(db, { subject: { type: "faq-subject", id }, ...shown }) }, 409);
    }
  }
}

const typedOf = ({ name, position, isHidden }: SubjectRecord): Typed => ({
  ...{ name, position: String(position), isHidden: isHidden ? "yes" : "" },
});

export default function SubjectPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { subject, others, isSaved, mayChange, maySeeLog } = loaderData;
  const path = `/admin/subjects/${subject.id}`;
  const typed = posted && !posted.isAsked ? posted.typed : typedOf(subject);
  return (
    <section className="narrow">
      <PageHead title={subject.name} crumbs={[{ label: "Subjects of questions", href: "/admin/subjects" }]}>
        {mayChange && subject.brand === null && (
          <a href={`/admin/subjects/new?like=${subject.id}`}>Otherwise at one brand</a>
        )}
        {maySeeLog && <a href={`/admin/audit/faq-subject/${subject.id}`}>History in the log</a>}
      </PageHead>
      {!posted && isSaved && <Notice tone="good">Saved. The FAQ pages show it.</Notice>}
      {posted?.isAsked && (
        <Confirm
          title={`Remove ${subject.name}?`}
          what={
            subject.questions === 0 ? (
              <p>It has no questions. Links to it lead nowhere.</p>
            ) : (
              <p>
                Its {subject.questions} questions go to another subject; links to them and to this subject lead nowhere.
                The log keeps its words.
              </p>
            )
          }
          button="Remove"
          keep={[["act", "remove"]]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        >
          {subject.questions > 0 && (
            <SelectField
              name="to"
              label="Its questions go to"
              choices={others.map(({ slug, name, onlyOf }) => ({
                value: slug,
                label: onlyOf === null ? name : `${name} (${onlyOf} only)`,
              }))}
              empty="Choose …"
              typed={posted.typed}
              faults={posted.faults}
            />
          )}
        </Confirm>
      )}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      {!posted?.isAsked && <FaultSummary faults={posted?.faults} />}
      <Facts
        facts={[
          { label: "Whose", value: subject.brandName ?? "every brand’s" },
          { label: "Address", value: `/faq/${subject.slug}` },
          {
            label: "Questions",
            value: <a href={`/admin/questions?category=${subject.slug}`}>{subject.questions}</a>,
          },
        ]}
      />
      <form method="post" className="card" action={path}>
        <VersionField current={subject.version} typed={typed} stale={posted?.stale} />
        <fieldset className="plain" disabled={!mayChange}>
          <SubjectFields typed={typed} faults={posted?.isAsked ? undefined : posted?.faults} />
        </fieldset>
        {mayChange && (
          <p className="acts">
            <button className="button is-main">Save</button>
          </p>
        )}
      </form>
      {mayChange && (
        <form method="post" action={path}>
          <button className="button is-danger-quiet" name="act" value="remove">
            Remove …
          </button>
        </form>
      )}
    </section>
  );
}
