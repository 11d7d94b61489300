import { findRetailerHistory } from "@farthing/core/audit/queries.server.ts";
import { findRetailerRecord } from "@farthing/core/catalogue/retailers/find-retailer-record.server.ts";
import { oldRetailerValues, undoRetailer } from "@farthing/core/catalogue/retailers/undo-retailer.server.ts";
import { isWorse } from "@farthing/core/catalogue/retailers/retailer-schema.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { typedIn } from "../../kit/read-form.ts";
import { UndoHistory } from "../../kit/undo-history.tsx";
import { undoChange } from "../../kit/undo.server.ts";
import { retailerFaults } from "./retailer-form.tsx";
import { statusWords } from "./retailer-list.tsx";
import type { Route } from "./+types/retailer-history-page";

export async function loader({ context, params: { retailer: slug }, request }: Route.LoaderArgs) {
  const { db } = context.get(servicesContext);
  const [retailer, entries] = await Promise.all([findRetailerRecord(db, { slug }), findRetailerHistory(db, { slug })]);
  if (!retailer) throw refused(404, { title: "No such retailer", text: "Go back to the list of retailers." });
  return {
    title: retailer.name,
    slug: retailer.slug,
    entries: entries.map((entry) => ({
      ...entry,
      about: entry.subjectType === "rate-tier" ? String((entry.after ?? entry.before)?.["label"] ?? "") : null,
      canBeUndone: entry.subjectType === "retailer" && !retailer.mergedInto && oldRetailerValues(entry) !== null,
    })),
    mayChange: may(context.get(operatorContext).role, "catalogue.change"),
    isUndone: new URL(request.url).searchParams.has("undone"),
  };
}

/** Undoes one change of the retailer. */
export async function action({ context, params: { retailer: slug }, request }: Route.ActionArgs) {
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  return await undoChange(db, actor, typedIn(await request.formData()), {
    permission: "catalogue.change",
    subject: { type: "retailer", id: slug },
    path: `/admin/retailers/${slug}/history`,
    oldValues: oldRetailerValues,
    // The form asks about a worse state, with what it stops and who is told.
    elsewhere: async (values) => {
      const retailer = await findRetailerRecord(db, { slug });
      return retailer && values.status && isWorse(retailer.status, values.status)
        ? `Nothing was changed: the old state, ${statusWords[values.status].toLowerCase()}, stops more than today’s. Choose it in the retailer’s form, which shows what it stops and who is told.`
        : null;
    },
    undo: (joined, values) => undoRetailer(joined, { slug, values, now: actor.now }),
    inWords: retailerFaults,
  });
}

export default function RetailerHistoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { title, slug, ...history } = loaderData;
  return (
    <UndoHistory
      {...history}
      title={title}
      path={`/admin/retailers/${slug}/history`}
      posted={actionData}
      crumbs={[
        { label: "Retailers", href: "/admin/retailers" },
        { label: title, href: `/admin/retailers/${slug}` },
      ]}
    />
  );
}
