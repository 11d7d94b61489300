import { act } from "@farthing/core/audit/act.server.ts";
import { createRetailer, type CreatedRetailer } from "@farthing/core/catalogue/retailers/change-retailer.server.ts";
import { retailerSchema } from "@farthing/core/catalogue/retailers/retailer-schema.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { retailerChoices } from "./retailer-choices.server.ts";
import { RetailerFields, retailerFaults } from "./retailer-form.tsx";
import type { Route } from "./+types/new-retailer-page";

export async function loader({ context }: Route.LoaderArgs) {
  return { choices: await retailerChoices(context.get(servicesContext).db) };
}

/** What a network's new retailer has too, until the club knows better (import-programmes.server.ts). */
const begun: Typed = {
  ...{ status: "active", tracksMin: "1", tracksMax: "7", confirmsMin: "45", confirmsMax: "90" },
  ...{ confirmsAfter: "purchase", popularity: "0", acceptsClaims: "yes" },
};

export async function action({ context, request }: Route.ActionArgs) {
  const typed = typedIn(await request.formData());
  const refuse = (faults: Faults) =>
    data<{ typed: Typed; faults: Faults }>({ typed, faults: retailerFaults(faults) }, { status: 422 });
  const form = checkForm(typed, retailerSchema);
  if (!form.ok) return refuse(form.faults);
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "catalogue.change",
    action: "retailer.create",
    subject: { type: "retailer", idOf: (made: CreatedRetailer) => (made.outcome === "created" ? made.slug : "") },
    changed: ({ outcome }: CreatedRetailer) => outcome === "created",
  } as const;
  const made = await act(db, actor, what, (joined) => createRetailer(joined, { form: form.value, now: actor.now }));
  if (made.outcome === "refused") return refuse(made.faults as Faults);
  return redirect(`/admin/retailers/${made.slug}?made`, 303);
}

export default function NewRetailerPage({ loaderData: { choices }, actionData }: Route.ComponentProps) {
  const { typed = begun, faults } = actionData ?? {};
  return (
    <section className="narrow">
      <PageHead
        title="New retailer"
        crumbs={[{ label: "Retailers", href: "/admin/retailers" }]}
        intro="A retailer that is at no network: for offers in store, and deals of the club’s own. It pays no cashback. A network’s programme brings its retailer by itself."
      />
      <FaultSummary faults={faults} />
      <form method="post" className="card" action="/admin/retailers/new">
        <RetailerFields {...{ typed, faults, choices }} />
        <p>
          <button className="button is-main">Add the retailer</button>
        </p>
      </form>
    </section>
  );
}
