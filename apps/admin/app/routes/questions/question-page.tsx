import { act } from "@farthing/core/audit/act.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import {
  findFaqRecord,
  removeFaq,
  saveFaq,
  type FaqRecord,
  type SavedFaq,
} from "@farthing/core/faqs/faq-records.server.ts";
import { listSubjectChoices } from "@farthing/core/faqs/subject-records.server.ts";
import { faqStatement } from "@farthing/core/faqs/schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { data, redirect } from "react-router";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { FaultSummary, VersionField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { readRemoval } from "../../kit/removal.ts";
import { staleAnswer } from "../../kit/stale-answer.server.ts";
import { StaleSave, type StaleAnswer } from "../../kit/stale-save.tsx";
import { versionField } from "../../kit/version-field.ts";
import { questionChoices, QuestionFields } from "./question-fields.tsx";
import type { Route } from "./+types/question-page";

const unknown = () => refused(404, { title: "No such question", text: "Go back to the list of questions." });

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [faq, brands, categories] = await Promise.all([
    findFaqRecord(db, { id }),
    listBrands(db),
    listSubjectChoices(db),
  ]);
  if (!faq) throw unknown();
  const { role } = context.get(operatorContext);
  return {
    ...{ faq, categories, brands: brands.map(({ slug, name }) => ({ slug, name })) },
    isSaved: new URL(request.url).searchParams.has("saved"),
    mayChange: may(role, "brands.change"),
    maySeeLog: may(role, "audit.see"),
  };
}

const typedOf = ({ brand, category, slug, question, answer, feature, position }: FaqRecord): Typed => ({
  ...{ brand: brand ?? "", category, slug, question, answer },
  ...{ feature: feature ?? "", position: String(position) },
});

const labels = {
  ...{ brand: "Whose question", category: "Subject", slug: "Short name", question: "Question", answer: "Answer" },
  ...{ feature: "Only where this feature is on", position: "Place within the subject" },
};

interface Posted {
  typed: Typed;
  faults?: Faults;
  isAsked?: boolean;
  stale?: StaleAnswer;
}

export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const answer = (posted: Omit<Posted, "typed">, status = 422) => data<Posted>({ typed, ...posted }, { status });
  if (!(await findFaqRecord(db, { id }))) throw unknown();
  if (typed["act"] === "remove") {
    const removal = readRemoval(typed);
    if (!("why" in removal)) return answer(removal, removal.faults ? 422 : 200);
    await act(
      db,
      actor,
      { permission: "brands.change", action: "faq.remove", subject: { type: "faq", id }, why: removal.why },
      (joined) => removeFaq(joined, { id }),
    );
    return redirect("/admin/questions?done", 303);
  }
  const form = checkForm(typed, faqStatement);
  if (!form.ok) return answer({ faults: form.faults });
  const changed = { id, version: versionField.parse(typed["version"]) };
  const saved = await act(
    db,
    actor,
    {
      permission: "brands.change",
      action: "faq.change",
      subject: { type: "faq", id },
      changed: ({ outcome }: SavedFaq) => outcome === "saved",
    },
    (joined) => saveFaq(joined, { faq: form.value, changed }),
  );
  switch (saved.outcome) {
    case "saved":
    case "unchanged":
      return redirect(`/admin/questions/${id}?saved`, 303);
    case "unknown":
      throw unknown();
    case "refused":
      return answer({ faults: { [saved.field]: saved.message } });
    case "stale": {
      const { stored } = saved;
      const choices = questionChoices(await listBrands(db), await listSubjectChoices(db));
      const shown = { stored: typedOf(stored), version: stored.version, typed, labels, choices };
      return answer({ stale: await staleAnswer(db, { subject: { type: "faq", id }, ...shown }) }, 409);
    }
  }
}

export default function QuestionPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { faq, brands, categories, isSaved, mayChange, maySeeLog } = loaderData;
  const path = `/admin/questions/${faq.id}`;
  const typed = posted && !posted.isAsked ? posted.typed : typedOf(faq);
  return (
    <section className="narrow">
      <PageHead title={faq.question} crumbs={[{ label: "Questions", href: "/admin/questions" }]}>
        {mayChange && faq.brand === null && (
          <a href={`/admin/questions/new?like=${faq.id}`}>Another answer for one brand</a>
        )}
        {maySeeLog && <a href={`/admin/audit/faq/${faq.id}`}>History in the log</a>}
      </PageHead>
      {!posted && isSaved && <Notice tone="good">Saved. The FAQ pages show it.</Notice>}
      {posted?.isAsked && (
        <Confirm
          title="Remove this question?"
          what={<p>Links to it lead nowhere. The log keeps its words.</p>}
          button="Remove"
          keep={[["act", "remove"]]}
          back={path}
          typed={posted.typed}
          faults={posted.faults}
        />
      )}
      {posted?.stale && <StaleSave {...posted.stale} typed={posted.typed} back={path} />}
      {!posted?.isAsked && <FaultSummary faults={posted?.faults} />}
      <form method="post" className="card" action={path}>
        <VersionField current={faq.version} typed={typed} stale={posted?.stale} />
        <fieldset className="plain" disabled={!mayChange}>
          <QuestionFields {...{ typed, brands, categories }} faults={posted?.isAsked ? undefined : posted?.faults} />
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
