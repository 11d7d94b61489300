import { act } from "@farthing/core/audit/act.server.ts";
import { newPartnerSchema } from "@farthing/core/partners/operator-schema.ts";
import { addApiKey, createPartner } from "@farthing/core/partners/operations.server.ts";
import { data } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary, LongField, TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { readForm, type Faults, type Typed } from "../../kit/read-form.ts";
import { KEY_ADVICE, ShownOnce } from "./shown-once.tsx";
import type { Route } from "./+types/new-partner-page";

interface Posted {
  typed: Typed;
  faults?: Faults;
  made?: { publicId: string; name: string; key: string };
}

/** Creates a partner with its first key, which this one answer shows. */
export async function action({ context, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const form = await readForm(request, newPartnerSchema);
  if (!form.ok) return data<Posted>({ typed: form.typed, faults: form.faults }, { status: 422 });
  const { name, origins } = form.value;
  const made = await act(
    db,
    actorOf(context),
    {
      permission: "partners.change",
      action: "partner.create",
      subject: { type: "partner", idOf: ({ publicId }: { publicId: string; key: string }) => publicId },
    },
    async (joined) => {
      const { id, publicId } = await createPartner(joined, { name, origins });
      const { key } = await addApiKey(joined, { partnerId: id });
      return { publicId, key };
    },
  );
  return data<Posted>({ typed: {}, made: { ...made, name } });
}

export default function NewPartnerPage({ actionData: posted }: Route.ComponentProps) {
  const crumbs = [{ label: "Partners", href: "/admin/partners" }];
  if (posted?.made) {
    const { publicId, name, key } = posted.made;
    return (
      <>
        <PageHead title={`${name} is a partner`} crumbs={crumbs} />
        <ShownOnce label="API key for live payments" secret={key} advice={KEY_ADVICE} />
        <p>
          <a className="button is-main" href={`/admin/partners/${publicId}`}>
            I have kept it: go to {name}
          </a>
        </p>
      </>
    );
  }
  return (
    <>
      <PageHead title="New partner" crumbs={crumbs} intro="It gets a key for live payments at once, shown once." />
      <section className="panel">
        <FaultSummary faults={posted?.faults} />
        <form method="post" action="/admin/partners/new">
          <TextField name="name" label="Name" max={100} typed={posted?.typed} faults={posted?.faults} />
          <LongField
            name="origins"
            label="Origins of its pages"
            help="One a line, as browsers write them: https://shop.example"
            max={4000}
            typed={posted?.typed}
            faults={posted?.faults}
          />
          <button className="button is-main">Create the partner</button>
        </form>
      </section>
    </>
  );
}
