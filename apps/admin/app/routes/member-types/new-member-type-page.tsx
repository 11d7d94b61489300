import { act } from "@farthing/core/audit/act.server.ts";
import { addMemberType } from "@farthing/core/member-types/edit-member-types.server.ts";
import { newMemberTypeSchema } from "@farthing/core/member-types/edit-schema.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary, TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm, type Faults, type Typed } from "../../kit/read-form.ts";
import { TypeFields } from "./type-fields.tsx";
import type { Route } from "./+types/new-member-type-page";

interface Posted {
  typed: Typed;
  faults: Faults;
}

export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const form = await readForm(request, newMemberTypeSchema);
  if (!form.ok) return data<Posted>({ typed: form.typed, faults: form.faults }, { status: 422 });
  const { slug } = form.value;
  const isAdded = await act(
    db,
    actorOf(context),
    { permission: "settings.change", action: "member-type.create", subject: { type: "member-type", id: slug } },
    (joined) => addMemberType(joined, form.value),
  );
  if (isAdded) return redirect(`/admin/member-types/${slug}?saved`, 303);
  const faults = { slug: "Another type has this short name. Choose another." };
  return data<Posted>({ typed: form.typed, faults }, { status: 422 });
}

const start: Typed = { memberIdLabel: "Membership or staff number", memberIdHelp: "", position: "100" };

export default function NewMemberTypePage({ actionData: posted }: Route.ComponentProps) {
  const shared = { typed: posted?.typed ?? start, faults: posted?.faults };
  return (
    <section className="narrow">
      <PageHead
        title="New member type"
        crumbs={[{ label: "Member types", href: "/admin/member-types" }]}
        intro="No brand offers it until it is ticked on the brand’s record."
      />
      <FaultSummary faults={posted?.faults} />
      <form method="post" className="card" action="/admin/member-types/new">
        <TextField name="slug" label="Short name" help="It stays: lifeboat_crew" max={40} {...shared} />
        <TypeFields {...shared} />
        <TextField
          name="status"
          label="First status"
          help="For example Employed. Others follow."
          max={60}
          {...shared}
        />
        <p>
          <button className="button is-main">Add the member type</button>
        </p>
      </form>
    </section>
  );
}
