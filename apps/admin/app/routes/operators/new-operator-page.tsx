import { act } from "@farthing/core/audit/act.server.ts";
import { inviteOperator, type Invited } from "@farthing/core/operators/operations.server.ts";
import { newOperatorSchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary, SelectField, TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm } from "../../kit/read-form.ts";
import { roleChoices } from "./operator-list.tsx";
import type { Route } from "./+types/new-operator-page";

export async function action({ context, request }: Route.ActionArgs) {
  const form = await readForm(request, newOperatorSchema);
  if (!form.ok) return data({ typed: form.typed, faults: form.faults }, { status: 422 });
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const invited = await act(
    db,
    actor,
    {
      permission: "operators.change",
      action: "operator.invite",
      subject: { type: "operator", idOf: (result: Invited) => (result.outcome === "invited" ? result.id : "") },
      changed: ({ outcome }: Invited) => outcome === "invited",
    },
    (joined) => inviteOperator(joined, { operator: form.value, now: actor.now }),
  );
  if (invited.outcome === "invited") return redirect(`/admin/operators/${invited.id}?invited`, 303);
  const faults = { email: "An operator has this address already. Find them in the list, and change their role there." };
  return data({ typed: form.typed, faults }, { status: 422 });
}

export default function NewOperatorPage({ actionData }: Route.ComponentProps) {
  const { typed, faults } = actionData ?? {};
  return (
    <section className="narrow">
      <PageHead
        title="Invite an operator"
        crumbs={[{ label: "Operators", href: "/admin/operators" }]}
        intro="They get a link to choose a password, which works for three days. At the first sign-in they set up codes on their phone."
      />
      <FaultSummary faults={faults} />
      <form method="post" className="card" action="/admin/operators/new">
        <TextField name="email" label="Email" type="email" {...{ typed, faults }} />
        <TextField name="name" label="Name" max={120} {...{ typed, faults }} />
        <SelectField name="role" label="Role" choices={roleChoices} empty="Choose …" {...{ typed, faults }} />
        <p>
          <button className="button is-main">Send the invitation</button>
        </p>
      </form>
    </section>
  );
}
