import { act } from "@farthing/core/audit/act.server.ts";
import { listBrands } from "@farthing/core/brands/queries.server.ts";
import { addSubject, findSubjectRecord, type SavedSubject } from "@farthing/core/faqs/subject-records.server.ts";
import { newSubject } from "@farthing/core/faqs/schema.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary, SelectField, TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm, type Faults, type Typed } from "../../kit/read-form.ts";
import { SubjectFields } from "./subject-fields.tsx";
import type { Route } from "./+types/new-subject-page";

/** `?like=<id>`: begins with another subject, to replace it at a brand. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const query = new URL(request.url).searchParams;
  const [brands, like] = await Promise.all([listBrands(db), findSubjectRecord(db, { id: query.get("like") ?? "" })]);
  const start: Typed = {
    brand: "",
    position: String(like?.position ?? 100),
    ...(like && { name: like.name, slug: like.slug, isHidden: like.isHidden ? "yes" : "" }),
  };
  return { start, brands: brands.map(({ slug, name }) => ({ value: slug, label: name })) };
}

interface Posted {
  typed: Typed;
  faults: Faults;
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const form = await readForm(request, newSubject);
  if (!form.ok) return data<Posted>({ typed: form.typed, faults: form.faults }, { status: 422 });
  const saved = await act(
    db,
    actorOf(context),
    {
      permission: "brands.change",
      action: "faq-subject.create",
      subject: { type: "faq-subject", idOf: (result: SavedSubject) => (result.outcome === "saved" ? result.id : "") },
      changed: ({ outcome }: SavedSubject) => outcome === "saved",
    },
    (joined) => addSubject(joined, form.value),
  );
  if (saved.outcome === "saved") return redirect("/admin/subjects?done", 303);
  const faults = saved.outcome === "refused" ? { [saved.field]: saved.message } : { form: "Nothing was saved." };
  return data<Posted>({ typed: form.typed, faults }, { status: 422 });
}

export default function NewSubjectPage({ loaderData: { start, brands }, actionData: posted }: Route.ComponentProps) {
  const shared = { typed: posted?.typed ?? start, faults: posted?.faults };
  return (
    <section className="narrow">
      <PageHead
        title="New subject"
        crumbs={[{ label: "Subjects of questions", href: "/admin/subjects" }]}
        intro="Members see it once it has a question."
      />
      <FaultSummary faults={posted?.faults} />
      <form method="post" className="card" action="/admin/subjects/new">
        <SelectField
          name="brand"
          label="Whose subject"
          choices={brands}
          empty="Every brand’s"
          isRequired={false}
          {...shared}
        />
        <TextField
          name="slug"
          label="Short name"
          help="In the address, and it stays: paying-out. That of a shared subject replaces it at the brand."
          max={40}
          {...shared}
        />
        <SubjectFields {...shared} />
        <p>
          <button className="button is-main">Add the subject</button>
        </p>
      </form>
    </section>
  );
}
