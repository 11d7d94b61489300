import { findHistory } from "@farthing/core/audit/queries.server.ts";
import { findOfferRecord } from "@farthing/core/catalogue/offers/find-offer-record.server.ts";
import { oldValues } from "@farthing/core/catalogue/offers/old-values.ts";
import { undoOffer } from "@farthing/core/catalogue/offers/undo-offer.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { typedIn } from "../../kit/read-form.ts";
import { UndoHistory } from "../../kit/undo-history.tsx";
import { undoChange } from "../../kit/undo.server.ts";
import { offerFaults } from "./offer-form.tsx";
import type { Route } from "./+types/offer-history-page";

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [offer, entries] = await Promise.all([
    findOfferRecord(db, { publicId: id }),
    findHistory(db, { type: "offer", id }),
  ]);
  if (!offer) throw refused(404, { title: "No such offer", text: "Go back to the list of offers." });
  return {
    title: offer.title,
    publicId: offer.publicId,
    entries: entries.map((entry) => ({ ...entry, canBeUndone: oldValues(entry) !== null })),
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
    isUndone: new URL(request.url).searchParams.has("undone"),
  };
}

/** Undoes one change of the offer. */
export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  return await undoChange(db, actor, typedIn(await request.formData()), {
    permission: "catalogue.change",
    subject: { type: "offer", id },
    path: `/admin/offers/${id}/history`,
    oldValues,
    undo: (joined, values) => undoOffer(joined, { publicId: id, values, now: actor.now }),
    inWords: offerFaults,
  });
}

export default function OfferHistoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { title, publicId, ...history } = loaderData;
  return (
    <UndoHistory
      {...history}
      title={title}
      path={`/admin/offers/${publicId}/history`}
      posted={actionData}
      crumbs={[
        { label: "Offers", href: "/admin/offers" },
        { label: title, href: `/admin/offers/${publicId}` },
      ]}
    />
  );
}
