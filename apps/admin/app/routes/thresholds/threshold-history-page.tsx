import { findHistory } from "@farthing/core/audit/queries.server.ts";
import { may } from "@farthing/core/operators/permissions.ts";
import { oldThreshold } from "@farthing/core/thresholds/old-values.ts";
import { saveThreshold, type SavedThreshold } from "@farthing/core/thresholds/operations.server.ts";
import { isThresholdKey, thresholdOf } from "@farthing/core/thresholds/rules.ts";
import { followThreshold } from "./follow-threshold.server.ts";
import { operatorContext, servicesContext } from "../../admin-context.ts";
import { refused } from "../../guard.server.ts";
import { actorOf } from "../../kit/actor.server.ts";
import { typedIn } from "../../kit/read-form.ts";
import { UndoHistory } from "../../kit/undo-history.tsx";
import { undoChange } from "../../kit/undo.server.ts";
import type { Route } from "./+types/threshold-history-page";

const unknown = () => refused(404, { title: "No such threshold", text: "Go back to the list of thresholds." });

export async function loader({ context, params: { threshold: key }, request }: Route.LoaderArgs) {
  if (!isThresholdKey(key)) throw unknown();
  const { db } = context.get(servicesContext);
  const entries = await findHistory(db, { type: "threshold", id: key });
  return {
    key,
    name: thresholdOf(key).name,
    entries: entries.map((entry) => ({ ...entry, canBeUndone: oldThreshold(entry) !== null })),
    mayChange: may(context.get(operatorContext).role, "settings.change"),
    isUndone: new URL(request.url).searchParams.has("undone"),
  };
}

/** Undoes one change of the threshold. */
export async function action({ context, params: { threshold: key }, request }: Route.ActionArgs) {
  if (!isThresholdKey(key)) throw unknown();
  const { db } = context.get(servicesContext);
  const actor = actorOf(context);
  return await undoChange(db, actor, typedIn(await request.formData()), {
    permission: "settings.change",
    subject: { type: "threshold", id: key },
    path: `/admin/thresholds/${key}/history`,
    oldValues: oldThreshold,
    undo: async (joined, statement) => {
      const saved = await saveThreshold(joined, {
        key,
        statement,
        version: null,
        now: actor.now,
        follow: followThreshold,
      });
      // Without a version, nobody can have come first.
      return saved as Exclude<SavedThreshold, { outcome: "stale" }>;
    },
    inWords: (faults) => ({ form: Object.values(faults).join(" ") }),
  });
}

export default function ThresholdHistoryPage({ loaderData, actionData }: Route.ComponentProps) {
  const { key, name, ...history } = loaderData;
  return (
    <UndoHistory
      {...history}
      title={name}
      path={`/admin/thresholds/${key}/history`}
      posted={actionData}
      crumbs={[
        { label: "Thresholds", href: "/admin/thresholds" },
        { label: name, href: `/admin/thresholds/${key}` },
      ]}
    />
  );
}
