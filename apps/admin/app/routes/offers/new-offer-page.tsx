import { act } from "@farthing/core/audit/act.server.ts";
import { createOffer, type CreatedOffer } from "@farthing/core/catalogue/offers/change-offer.server.ts";
import { offerSchema } from "@farthing/core/catalogue/offers/offer-schema.ts";
import { toLondon } from "@farthing/core/catalogue/london-time.ts";
import { data, redirect } from "react-router";
import { servicesContext } from "../../admin-context.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { FaultSummary, TextField } from "../../kit/fields.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults, type Typed } from "../../kit/read-form.ts";
import { offerChoices } from "./offer-choices.server.ts";
import { OfferFields, offerFaults } from "./offer-form.tsx";
import type { Route } from "./+types/new-offer-page";

export async function loader({ context, request }: Route.LoaderArgs) {
  const { db, now } = context.get(servicesContext);
  const retailer = (new URL(request.url).searchParams.get("retailer") ?? "").slice(0, 100);
  return {
    choices: await offerChoices(db),
    begun: { retailer, kind: "deal", startsAt: toLondon(now()), popularity: "0" },
  };
}

/** Makes an offer of the club's own. It is withdrawn until somebody publishes it on its page. */
export async function action({ context, request }: Route.ActionArgs) {
  const typed = typedIn(await request.formData());
  const refuse = (faults: Faults) =>
    data<{ typed: Typed; faults: Faults }>({ typed, faults: offerFaults(faults) }, { status: 422 });
  const form = checkForm(typed, offerSchema);
  if (!form.ok) return refuse(form.faults);
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const what = {
    permission: "catalogue.change",
    action: "offer.create",
    subject: { type: "offer", idOf: (made: CreatedOffer) => (made.outcome === "created" ? made.publicId : "") },
    changed: ({ outcome }: CreatedOffer) => outcome === "created",
  } as const;
  const retailer = (typed["retailer"] ?? "").trim();
  const made = await act(db, actor, what, (joined) =>
    createOffer(joined, { retailer, form: form.value, now: actor.now }),
  );
  if (made.outcome === "refused") return refuse(made.faults as Faults);
  return redirect(`/admin/offers/${made.publicId}?made`, 303);
}

export default function NewOfferPage({ loaderData: { choices, begun }, actionData }: Route.ComponentProps) {
  const { typed = begun, faults } = actionData ?? {};
  return (
    <section className="narrow">
      <PageHead
        title="New offer"
        crumbs={[{ label: "Offers", href: "/admin/offers" }]}
        intro="An offer of the club’s own. It is not shown before you publish it on its page."
      />
      <FaultSummary faults={faults} />
      <form method="post" className="card" action="/admin/offers/new">
        <TextField
          name="retailer"
          label="Retailer"
          help="Its name, or the last part of its address on the site: fernhollow-boots"
          max={100}
          {...{ typed, faults }}
        />
        <OfferFields {...{ typed, faults, choices }} />
        <p>
          <button className="button is-main">Save the draft</button>
        </p>
      </form>
    </section>
  );
}
