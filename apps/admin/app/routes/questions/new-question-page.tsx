import { act } from "@farthing/core/audit/act.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { findFaqRecord, saveFaq, type SavedFaq } from "@farthing/core/faqs/faq-records.server.ts";
import { listSubjectChoices } from "@farthing/core/faqs/subject-records.server.ts";
import { faqStatement } from "@farthing/core/faqs/schema.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm, type Faults, type Typed } from "../../kit/read-form.ts";
import { QuestionFields } from "./question-fields.tsx";
import type { Route } from "./+types/new-question-page";

/** `?like=<id>`: begins with another question, to replace it at a brand; `?brand=<slug>`: whose it will be. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const query = new URL(request.url).searchParams;
  const [brands, categories, like] = await Promise.all([
    listBrands(db),
    listSubjectChoices(db),
    findFaqRecord(db, { id: query.get("like") ?? "" }),
  ]);
  const start: Typed = {
    position: "10",
    ...(like && {
      ...{ category: like.category, slug: like.slug, question: like.question, answer: like.answer },
      ...{ feature: like.feature ?? "", position: String(like.position) },
    }),
    brand: query.get("brand") ?? "",
  };
  return { start, categories, brands: brands.map(({ slug, name }) => ({ slug, name })) };
}

interface Posted {
  typed: Typed;
  faults: Faults;
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const form = await readForm(request, faqStatement);
  if (!form.ok) return data<Posted>({ typed: form.typed, faults: form.faults }, { status: 422 });
  const saved = await act(
    db,
    actorOf(context),
    {
      permission: "brands.change",
      action: "faq.create",
      subject: { type: "faq", idOf: (result: SavedFaq) => (result.outcome === "saved" ? result.id : "") },
      changed: ({ outcome }: SavedFaq) => outcome === "saved",
    },
    (joined) => saveFaq(joined, { faq: form.value, changed: null }),
  );
  if (saved.outcome === "saved") return redirect("/admin/questions?done", 303);
  const faults = saved.outcome === "refused" ? { [saved.field]: saved.message } : { form: "Nothing was saved." };
  return data<Posted>({ typed: form.typed, faults }, { status: 422 });
}

export default function NewQuestionPage({ loaderData, actionData: posted }: Route.ComponentProps) {
  const { start, brands, categories } = loaderData;
  return (
    <section className="narrow">
      <PageHead title="New question" crumbs={[{ label: "Questions", href: "/admin/questions" }]} />
      <FaultSummary faults={posted?.faults} />
      <form method="post" className="card" action="/admin/questions/new">
        <QuestionFields typed={posted?.typed ?? start} faults={posted?.faults} {...{ brands, categories }} />
        <p>
          <button className="button is-main">Add the question</button>
        </p>
      </form>
    </section>
  );
}
