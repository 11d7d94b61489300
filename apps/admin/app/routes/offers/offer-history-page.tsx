import { act } from "@farthing/core/audit/act.server.ts";
import { findHistory } from "@farthing/core/audit/queries.server.ts";
import { undoOffer, type OfferUndo } from "@farthing/core/catalogue/offers/undo-offer.server.ts";
import { oldValues } from "@farthing/core/catalogue/offers/old-values.ts";
import { findOfferRecord } from "@farthing/core/catalogue/offers/find-offer-record.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { whySchema } from "@farthing/core/operators/schema.ts";
import { data, redirect } from "react-router";
import { z } from "zod";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { Confirm } from "../../kit/confirm.tsx";
import { Notice } from "../../kit/facts.tsx";
import { Moment } from "../../kit/moment.tsx";
import { PageHead } from "../../kit/page-head.tsx";
import { checkForm, typedIn, type Faults } from "../../kit/read-form.ts";
import { Changes } from "../audit/changes.tsx";
import { offerFaults } from "./offer-form.tsx";
import type { Route } from "./+types/offer-history-page";

const unknown = () => refused(404, { title: "No such offer", text: "Go back to the list of offers." });

export async function loader({ context, params: { id }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [offer, entries] = await Promise.all([
    findOfferRecord(db, { publicId: id }),
    findHistory(db, { type: "offer", id }),
  ]);
  if (!offer) throw unknown();
  return {
    title: offer.title,
    publicId: offer.publicId,
    entries: entries.map((entry) => ({ ...entry, canBeUndone: oldValues(entry) !== null })),
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
    isUndone: new URL(request.url).searchParams.has("undone"),
  };
}

interface Posted {
  ask: number | null;
  faults?: Faults;
  says?: string;
}

/** Undoes one change: writes the values before it back, as a new change. */
export async function action({ context, params: { id }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  const typed = typedIn(await request.formData());
  const seq = Number(typed["undo"]);
  const entry = (await findHistory(db, { type: "offer", id })).find((each) => each.seq === seq);
  const values = entry ? oldValues(entry) : null;
  if (!entry || !values)
    return data<Posted>({ ask: null, says: "Choose a change that can be undone." }, { status: 422 });
  if (typed["confirmed"] !== "yes") return data<Posted>({ ask: seq });
  const why = checkForm(typed, z.object({ why: whySchema }));
  if (!why.ok) return data<Posted>({ ask: seq, faults: why.faults }, { status: 422 });
  const what = {
    permission: "catalogue.change",
    action: "offer.undo",
    subject: { type: "offer", id },
    why: `Undoes entry ${seq}: ${why.value.why}`.slice(0, 500),
    changed: ({ outcome }: OfferUndo) => outcome === "changed",
  } as const;
  const undone = await act(db, actor, what, (joined) => undoOffer(joined, { publicId: id, values, now: actor.now }));
  switch (undone.outcome) {
    case "changed":
      return redirect(`/admin/offers/${id}/history?undone`, 303);
    case "unchanged":
      return data<Posted>(
        { ask: null, says: "Nothing was changed: the offer has those values already." },
        { status: 409 },
      );
    case "refused":
      return data<Posted>({ ask: seq, faults: offerFaults(undone.faults as Faults) }, { status: 422 });
    case "unknown":
      throw unknown();
  }
}

export default function OfferHistoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { title, publicId, entries, mayChange, isUndone } = loaderData;
  const path = `/admin/offers/${publicId}/history`;
  const asked = entries.find(({ seq }) => seq === actionData?.ask);
  return (
    <>
      <PageHead
        title={`History of ${title}`}
        crumbs={[
          { label: "Offers", href: "/admin/offers" },
          { label: title, href: `/admin/offers/${publicId}` },
        ]}
        intro="What operators have changed. What imports write is not here."
      />
      {isUndone && !actionData && (
        <Notice tone="good">
          The values before that change are back. It is a change of its own, and can be undone too.
        </Notice>
      )}
      {actionData?.says && <Notice tone="bad">{actionData.says}</Notice>}
      {asked && (
        <Confirm
          title="Undo this change?"
          what={
            <>
              <p>These values are written back. What was changed in these fields since then is overwritten:</p>
              <Changes before={asked.after} after={asked.before} />
            </>
          }
          button="Undo the change"
          keep={[["undo", String(asked.seq)]]}
          back={path}
          faults={actionData?.faults}
        />
      )}
      <ol className="timeline">
        {entries.map((entry) => (
          <li key={entry.seq}>
            <p>
              <Moment at={entry.at} /> <strong>{entry.action}</strong> by {entry.actor}
              {entry.why && <>: {entry.why}</>}
            </p>
            <Changes before={entry.before} after={entry.after} />
            {mayChange && entry.canBeUndone && (
              <form method="post" action={path}>
                <button className="button is-quiet" name="undo" value={entry.seq}>
                  Undo … <span className="away">entry {entry.seq}</span>
                </button>
              </form>
            )}
          </li>
        ))}
      </ol>
      {entries.length === 0 && <p className="empty">Nobody has changed this offer in the admin.</p>}
    </>
  );
}
