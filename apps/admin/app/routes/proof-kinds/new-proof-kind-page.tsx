import { act } from "@farthing/core/audit/act.server.ts";
import { addProofKind } from "@farthing/core/verification-requests/proof-kind-records.server.ts";
import { newProofKind } from "@farthing/core/verification-requests/proof-kind-schema.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary, TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm, type Faults, type Typed } from "../../kit/read-form.ts";
import { ProofKindFields } from "./proof-kind-fields.tsx";
import type { Route } from "./+types/new-proof-kind-page";

interface Posted {
  typed: Typed;
  faults: Faults;
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const form = await readForm(request, newProofKind);
  if (!form.ok) return data<Posted>({ typed: form.typed, faults: form.faults }, { status: 422 });
  const { slug } = form.value;
  const isAdded = await act(
    db,
    actorOf(context),
    { permission: "settings.change", action: "proof-kind.create", subject: { type: "proof-kind", id: slug } },
    (joined) => addProofKind(joined, form.value),
  );
  if (isAdded) return redirect(`/admin/proof-kinds/${slug}?saved`, 303);
  const faults = { slug: "Another kind has this short name. Choose another." };
  return data<Posted>({ typed: form.typed, faults }, { status: 422 });
}

const start: Typed = { shows: "Your name", drawing: "letter", position: "100" };

export default function NewProofKindPage({ actionData: posted }: Route.ComponentProps) {
  const shared = { typed: posted?.typed ?? start, faults: posted?.faults };
  return (
    <section className="narrow">
      <PageHead
        title="New proof kind"
        crumbs={[{ label: "Proof kinds", href: "/admin/proof-kinds" }]}
        intro="Nobody is asked for it before it is general, or has a place in the list of a member type."
      />
      <FaultSummary faults={posted?.faults} />
      <form method="post" className="card" action="/admin/proof-kinds/new">
        <TextField name="slug" label="Short name" help="It stays: union_card" max={40} {...shared} />
        <ProofKindFields {...shared} />
        <p>
          <button className="button is-main">Add the proof kind</button>
        </p>
      </form>
    </section>
  );
}
